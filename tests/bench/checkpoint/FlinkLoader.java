// Flink's own loader of `_metadata`: what it reads, or how long it takes. A single-file program:
//   java -cp 'FLINK/lib/*' FlinkLoader.java dump ROOT    every _metadata below ROOT, as TSV
//   java -cp 'FLINK/lib/*' FlinkLoader.java time FILE N  N loads of one file, a line each
// `dump` wrote tests/golden/checkpoints/flink-tests.tsv.gz (its README has the columns).
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.OperatorStateHandle;

public class FlinkLoader {
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("dump")) {
      dump(Path.of(arguments[1]));
    } else {
      time(Path.of(arguments[1]), Integer.parseInt(arguments[2]));
    }
  }

  static CheckpointMetadata load(Path file) throws Exception {
    ClassLoader loader = FlinkLoader.class.getClassLoader();
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
      return Checkpoints.loadCheckpointMetadata(in, loader, file.getParent().toUri().toString());
    }
  }

  static void time(Path file, int loads) throws Exception {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (int i = 0; i < loads; ++i) {
      long begin = System.nanoTime();
      long beginCpu = threads.getCurrentThreadCpuTime();
      CheckpointMetadata metadata = load(file);
      long millis = (System.nanoTime() - begin) / 1_000_000;
      long cpuMillis = (threads.getCurrentThreadCpuTime() - beginCpu) / 1_000_000;
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      System.out.printf(
          "load %d: %d ms, of the thread's own CPU %d ms, %d operators, heap %d MB%n",
          i + 1,
          millis,
          cpuMillis,
          metadata.getOperatorStates().size(),
          (runtime.totalMemory() - runtime.freeMemory()) >> 20);
    }
  }

  static void dump(Path root) throws Exception {
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(p -> p.endsWith("_metadata")).sorted().collect(Collectors.toList());
    }
    for (Path file : files) {
      String name = root.relativize(file).toString();
      try {
        CheckpointMetadata metadata = load(file);
        Object properties = metadata.getCheckpointProperties();
        System.out.println("FILE\t" + name + "\t" + metadata.getCheckpointId() + "\t" + properties);
        for (OperatorState operator : metadata.getOperatorStates()) {
          System.out.println(row(operator));
        }
      } catch (Exception e) {
        System.out.println("ERROR\t" + name + "\t" + e.getClass().getSimpleName());
      }
    }
  }

  static String row(OperatorState operator) {
    long managedKeyed = 0;
    long rawKeyed = 0;
    long managedOperator = 0;
    long rawOperator = 0;
    TreeSet<String> keyed = new TreeSet<>();
    TreeSet<String> names = new TreeSet<>();
    for (OperatorSubtaskState subtask : operator.getStates()) {
      managedKeyed += subtask.getManagedKeyedState().getStateSize();
      rawKeyed += subtask.getRawKeyedState().getStateSize();
      managedOperator += subtask.getManagedOperatorState().getStateSize();
      rawOperator += subtask.getRawOperatorState().getStateSize();
      subtask.getManagedKeyedState().forEach(h -> keyed.add(h.getClass().getSimpleName()));
      for (OperatorStateHandle handle : subtask.getManagedOperatorState()) {
        names.addAll(handle.getStateNameToPartitionOffsets().keySet());
      }
    }
    return String.join(
        "\t",
        "OP",
        operator.getOperatorID().toHexString(),
        String.valueOf(operator.getOperatorName()),
        String.valueOf(operator.getOperatorUid()),
        "p=" + operator.getParallelism() + "/" + operator.getMaxParallelism(),
        "mk=" + managedKeyed,
        "rk=" + rawKeyed,
        "mo=" + managedOperator,
        "ro=" + rawOperator,
        "size=" + operator.getStateSize(),
        "ckptd=" + operator.getCheckpointedSize(),
        "fin=" + operator.isFullyFinished(),
        keyed.toString(),
        names.isEmpty() ? "" : "OP:" + names);
  }
}
