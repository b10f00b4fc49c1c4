// Writes a `_metadata` with every kind of handle, by Flink's own classes: in formats 3 to 6, as
// DIR/v<format>-every-handle. A single-file program:
//   java -cp 'FLINK/lib/*' FlinkWriter.java DIR
// It wrote those of tests/golden/checkpoints/real/metadata; FlinkLoader.java reads them again.
import java.io.DataOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.checkpoint.CheckpointProperties;
import org.apache.flink.runtime.checkpoint.CheckpointRetentionPolicy;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.FinishedOperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.FullyFinishedOperatorState;
import org.apache.flink.runtime.checkpoint.MasterState;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.StateObjectCollection;
import org.apache.flink.runtime.checkpoint.channel.InputChannelInfo;
import org.apache.flink.runtime.checkpoint.channel.ResultSubpartitionInfo;
import org.apache.flink.runtime.checkpoint.filemerging.LogicalFile;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.checkpoint.metadata.MetadataSerializer;
import org.apache.flink.runtime.checkpoint.metadata.MetadataV3Serializer;
import org.apache.flink.runtime.checkpoint.metadata.MetadataV4Serializer;
import org.apache.flink.runtime.checkpoint.metadata.MetadataV5Serializer;
import org.apache.flink.runtime.checkpoint.metadata.MetadataV6Serializer;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.InputChannelStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.MergedInputChannelStateHandle;
import org.apache.flink.runtime.state.MergedResultSubpartitionStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle.Mode;
import org.apache.flink.runtime.state.OperatorStateHandle.StateMetaInfo;
import org.apache.flink.runtime.state.OperatorStreamStateHandle;
import org.apache.flink.runtime.state.ResultSubpartitionStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.changelog.ChangelogStateBackendHandle.ChangelogStateBackendHandleImpl;
import org.apache.flink.runtime.state.changelog.ChangelogStateHandleStreamImpl;
import org.apache.flink.runtime.state.changelog.SequenceNumber;
import org.apache.flink.runtime.state.changelog.StateChange;
import org.apache.flink.runtime.state.changelog.inmemory.InMemoryChangelogStateHandle;
import org.apache.flink.runtime.state.filemerging.DirectoryStreamStateHandle;
import org.apache.flink.runtime.state.filemerging.EmptySegmentFileStateHandle;
import org.apache.flink.runtime.state.filemerging.FileMergingOperatorStreamStateHandle;
import org.apache.flink.runtime.state.filemerging.SegmentFileStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.runtime.state.filesystem.RelativeFileStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;

public class FlinkWriter {
  static final KeyGroupRange RANGE = KeyGroupRange.of(0, 3);

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    for (MetadataSerializer format :
        List.of(
            MetadataV3Serializer.INSTANCE,
            MetadataV4Serializer.INSTANCE,
            MetadataV5Serializer.INSTANCE,
            MetadataV6Serializer.INSTANCE)) {
      Path file = folder.resolve("v" + format.getVersion() + "-every-handle");
      try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
        Checkpoints.storeCheckpointMetadata(metadata(format.getVersion() >= 6), out, format);
      }
    }
  }

  static org.apache.flink.core.fs.Path path(String name) {
    return new org.apache.flink.core.fs.Path("file:/job/" + name);
  }

  static StreamStateHandle file(long size) {
    return new FileStateHandle(path("chk-7/f" + size), size);
  }

  static StreamStateHandle inlined(int size) {
    return new ByteStreamStateHandle("inlined" + size, new byte[size]);
  }

  static StreamStateHandle segment(long size) {
    return new SegmentFileStateHandle(
        path("shared/merged"), 4096, size, CheckpointedStateScope.SHARED,
        new LogicalFile.LogicalFileId("logical" + size));
  }

  static KeyGroupsStateHandle keyGroups(StreamStateHandle stream) {
    return new KeyGroupsStateHandle(new KeyGroupRangeOffsets(RANGE), stream);
  }

  static KeyedStateHandle incremental() {
    return new IncrementalRemoteKeyedStateHandle(
        new UUID(1, 2), RANGE, 7,
        List.of(HandleAndLocalPath.of(file(1000), "1.sst"), HandleAndLocalPath.of(segment(500), "2.sst")),
        List.of(HandleAndLocalPath.of(inlined(16), "CURRENT"),
            HandleAndLocalPath.of(EmptySegmentFileStateHandle.INSTANCE, "EMPTY")),
        inlined(40), 123);
  }

  static KeyedStateHandle changelog() {
    return new ChangelogStateBackendHandleImpl(
        List.of(incremental(), keyGroups(file(70))),
        List.of(
            new ChangelogStateHandleStreamImpl(
                List.of(Tuple2.of(file(5000), 17L)), RANGE, 300, 90, "filesystem"),
            new InMemoryChangelogStateHandle(
                List.of(StateChange.ofMetadataChange(new byte[5]),
                    StateChange.ofDataChange(2, new byte[6])),
                SequenceNumber.of(1), SequenceNumber.of(3), RANGE)),
        RANGE, 7, 3, 101);
  }

  static OperatorStateHandle partitions(StreamStateHandle stream, String name, Mode mode) {
    return new OperatorStreamStateHandle(
        Map.of(name, new StateMetaInfo(new long[] {0, 8}, mode)), stream);
  }

  static OperatorStateHandle mergedPartitions() {
    return new FileMergingOperatorStreamStateHandle(
        DirectoryStreamStateHandle.of(path("taskowned")), DirectoryStreamStateHandle.of(path("shared")),
        Map.of("offsets", new StateMetaInfo(new long[] {0}, Mode.UNION)), segment(30));
  }

  static InputChannelStateHandle input(StreamStateHandle stream, long size) {
    return new InputChannelStateHandle(1, new InputChannelInfo(0, 2), stream, List.of(0L, 9L), size);
  }

  static ResultSubpartitionStateHandle output(StreamStateHandle stream, long size) {
    return new ResultSubpartitionStateHandle(
        1, new ResultSubpartitionInfo(0, 2), stream, List.of(0L), size);
  }

  static OperatorSubtaskState.Builder inFlight(boolean merged) {
    StreamStateHandle shared = file(9999);
    OperatorSubtaskState.Builder subtask = OperatorSubtaskState.builder();
    if (merged) {
      return subtask
          .setInputChannelState(new StateObjectCollection<>(List.of(
              input(shared, 10),
              MergedInputChannelStateHandle.fromChannelHandles(
                  List.of(input(shared, 11), input(shared, 12))))))
          .setResultSubpartitionState(new StateObjectCollection<>(List.of(
              output(shared, 20),
              MergedResultSubpartitionStateHandle.fromChannelHandles(
                  List.of(output(shared, 21), output(shared, 22))))));
    }
    return subtask
        .setInputChannelState(
            new StateObjectCollection<>(List.of(input(shared, 10), input(shared, 11))))
        .setResultSubpartitionState(new StateObjectCollection<>(List.of(output(shared, 20))));
  }

  static CheckpointMetadata metadata(boolean merged) {
    OperatorState keyed = new OperatorState("Join[19]", "19_join", new OperatorID(1, 2), 8, 128);
    List<KeyedStateHandle> handles = List.of(
        keyGroups(file(71)), keyGroups(inlined(72)), keyGroups(segment(73)),
        new KeyGroupsSavepointStateHandle(new KeyGroupRangeOffsets(RANGE),
            new RelativeFileStateHandle(path("chk-7/r"), "r", 74)),
        incremental(), changelog());
    for (int i = 0; i < handles.size(); ++i) {
      keyed.putState(i, OperatorSubtaskState.builder()
          .setManagedKeyedState(handles.get(i)).setRawKeyedState(keyGroups(file(i))).build());
    }
    keyed.putState(7, FinishedOperatorSubtaskState.INSTANCE);

    OperatorState other = new OperatorState("Source: o[1]", null, new OperatorID(3, 4), 4, 128);
    other.setCoordinatorState((ByteStreamStateHandle) inlined(12));
    other.putState(0, inFlight(merged)
        .setManagedOperatorState(partitions(file(100), "buckets", Mode.SPLIT_DISTRIBUTE))
        .setRawOperatorState(partitions(file(7), "raw", Mode.SPLIT_DISTRIBUTE)).build());
    other.putState(1, OperatorSubtaskState.builder().setManagedOperatorState(mergedPartitions()).build());
    other.putState(2, OperatorSubtaskState.builder()
        .setManagedOperatorState(partitions(inlined(3), "rules", Mode.BROADCAST)).build());

    return new CheckpointMetadata(
        7,
        List.of(keyed, other,
            new FullyFinishedOperatorState("Calc[2]", "2_calc", new OperatorID(5, 6), 4, 128)),
        Collections.singletonList(new MasterState("a hook", new byte[9], 1)),
        CheckpointProperties.forCheckpoint(CheckpointRetentionPolicy.RETAIN_ON_FAILURE));
  }
}
