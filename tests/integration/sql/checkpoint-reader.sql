-- One backend's two jobs, each from its compiled plan: every state with a TTL, and some with, some
-- without one. Wide keys, so that the heap backend's state soon no longer fits into the _metadata.
SET 'pipeline.name' = 'on-${BACKEND}';
SET 'table.exec.state.ttl' = '1 h';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/on-${BACKEND}.json' FOR STATEMENT SET
BEGIN
${STATEMENTS}
INSERT INTO pairs SELECT l.id, r.amount FROM clicks l JOIN clicks r ON l.id = r.id;
END;
RESET 'table.exec.state.ttl';

SET 'pipeline.name' = 'mixed-${BACKEND}';
COMPILE AND EXECUTE PLAN 'file://${PLAN_DIR}/mixed-${BACKEND}.json' FOR STATEMENT SET
BEGIN
${STATEMENTS}
INSERT INTO pairs SELECT /*+ STATE_TTL('r' = '2 h') */ l.id, r.amount
FROM clicks l JOIN clicks r ON l.id = r.id;
END;
