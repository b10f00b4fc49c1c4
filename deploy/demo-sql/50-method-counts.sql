-- Nobody saved this job's plan.
SET 'pipeline.name' = 'method-counts';
INSERT INTO method_counts SELECT pay_method, COUNT(*) FROM payments GROUP BY pay_method;
