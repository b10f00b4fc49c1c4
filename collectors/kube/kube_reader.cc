#include "collectors/kube/kube_reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "collectors/kube/plan_entries_reader.h"
#include "collectors/rest/json_answer.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

// Names have 253 bytes at most, label values 63; resource versions and tokens are opaque.
constexpr std::size_t kMaxNameBytes = 253;
constexpr std::size_t kMaxOpaqueBytes = 16U << 10U;
constexpr std::size_t kMaxUrlBytes = 2048;
constexpr std::size_t kMaxMessageBytes = 300;
constexpr std::size_t kMaxPorts = 64;
constexpr std::int64_t kMaxPort = 65'535;

constexpr const char* kRestUrl = "flink-state-sidecar/rest-url";
constexpr const char* kCluster = "flink-state-sidecar/cluster";

RestAnswer AsRest(int status, std::string body) {
  return {status, "application/json", std::move(body)};
}

std::string TextOrNumber(const rapidjson::Value& object, const char* name) {
  const auto number = CountMember(object, name);
  return number ? std::to_string(*number) : TextMember(object, name, kMaxNameBytes);
}

// A Flink option out of spec.flinkConfiguration: "rest.port", or nested, as YAML allows it.
std::string FlinkOption(const rapidjson::Value& configuration, std::string_view option) {
  if (!configuration.IsObject()) return "";
  const std::string whole(option);
  if (Member(configuration, whole.c_str()) != nullptr) {
    return TextOrNumber(configuration, whole.c_str());
  }
  for (auto dot = option.find('.'); dot != std::string_view::npos;
       dot = option.find('.', dot + 1)) {
    const std::string head(option.substr(0, dot));
    if (const rapidjson::Value* below = ObjectMember(configuration, head.c_str())) {
      std::string value = FlinkOption(*below, option.substr(dot + 1));
      if (!value.empty()) return value;
    }
  }
  return "";
}

bool FlinkSwitch(const rapidjson::Value& configuration, std::string_view option) {
  const std::string name(option);
  return BoolMember(configuration, name.c_str()).value_or(false) ||
         FlinkOption(configuration, option) == "true";
}

void ReadDeployment(const rapidjson::Value& spec, KubeObject* object) {
  if (const rapidjson::Value* job = ObjectMember(spec, "job")) {
    object->suspended = TextMember(*job, "state", kMaxNameBytes) == "suspended";
  }
  const rapidjson::Value* configuration = ObjectMember(spec, "flinkConfiguration");
  if (configuration == nullptr) return;
  object->rest_tls = FlinkSwitch(*configuration, "security.ssl.rest.enabled");
  const std::string port = FlinkOption(*configuration, "rest.port");
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  const bool whole = error == std::errc() && end == port.data() + port.size();
  if (whole && number > 0 && number <= kMaxPort) object->rest_port = number;
}

void ReadService(const rapidjson::Value& spec, KubeObject* object) {
  const rapidjson::Value* ports = ArrayMember(spec, "ports");
  if (ports == nullptr) return;
  for (const rapidjson::Value& row : ports->GetArray()) {
    const auto port = CountMember(row, "port");
    if (!port || *port < 1 || *port > kMaxPort || object->ports.size() == kMaxPorts) continue;
    object->ports.push_back({TextMember(row, "name", kMaxNameBytes), *port});
  }
}

void ReadMetadata(const rapidjson::Value& metadata, KubeObject* object) {
  object->namespace_name = TextMember(metadata, "namespace", kMaxNameBytes);
  object->name = TextMember(metadata, "name", kMaxNameBytes);
  object->uid = TextMember(metadata, "uid", kMaxNameBytes);
  object->resource_version = TextMember(metadata, "resourceVersion", kMaxOpaqueBytes);
  if (const rapidjson::Value* annotations = ObjectMember(metadata, "annotations")) {
    object->rest_url = TextMember(*annotations, kRestUrl, kMaxUrlBytes);
    object->cluster = TextMember(*annotations, kCluster, 2 * kMaxNameBytes);
  }
  if (const rapidjson::Value* labels = ObjectMember(metadata, "labels")) {
    object->app = TextMember(*labels, "app", kMaxNameBytes);
    object->type = TextMember(*labels, "type", kMaxNameBytes);
  }
}

KubeObject ReadObject(KubeKind kind, const rapidjson::Value& json) {
  KubeObject object;
  if (const rapidjson::Value* metadata = ObjectMember(json, "metadata")) {
    ReadMetadata(*metadata, &object);
  }
  const rapidjson::Value* spec = ObjectMember(json, "spec");
  switch (kind) {
    case KubeKind::kFlinkDeployment:
      if (spec != nullptr) ReadDeployment(*spec, &object);
      break;
    case KubeKind::kFlinkSessionJob:
      if (spec != nullptr) object.deployment = TextMember(*spec, "deploymentName", kMaxNameBytes);
      break;
    case KubeKind::kService:
      if (spec != nullptr) ReadService(*spec, &object);
      break;
    case KubeKind::kConfigMap:
      object.plans = ReadPlanEntries(json, object.Key());
      break;
  }
  return object;
}

std::optional<KubeEvent::Type> TypeOf(std::string_view text) {
  if (text == "ADDED") return KubeEvent::Type::kAdded;
  if (text == "MODIFIED") return KubeEvent::Type::kModified;
  if (text == "DELETED") return KubeEvent::Type::kDeleted;
  if (text == "BOOKMARK") return KubeEvent::Type::kBookmark;
  if (text == "ERROR") return KubeEvent::Type::kError;
  return std::nullopt;
}

Error NotKubernetes(const char* what) {
  return {ErrorCode::kMalformed, std::string("not an answer of a Kubernetes API server: ") + what,
          ""};
}

}  // namespace

Error KubeRefusal(const KubeAnswer& answer) {
  std::string message = "HTTP " + std::to_string(answer.status);
  const auto json = JsonAnswer::Parse(AsRest(200, answer.body));
  const std::string said =
      json.ok() ? TextMember(json->root(), "message", kMaxMessageBytes) : OneLine(answer.body, 100);
  if (!said.empty()) message += ": " + OneLine(said, kMaxMessageBytes);
  return {answer.status == 404 ? ErrorCode::kNotFound : ErrorCode::kHttpStatus, std::move(message),
          ""};
}

Result<KubePage> ReadKubePage(KubeKind kind, KubeAnswer answer) {
  if (answer.status < 200 || answer.status > 299) return KubeRefusal(answer);
  const auto json = JsonAnswer::Parse(AsRest(200, std::move(answer.body)));
  if (!json.ok()) {
    if (json.error().code == ErrorCode::kTooLarge) return json.error();
    return NotKubernetes("no JSON object");
  }
  const rapidjson::Value* metadata = ObjectMember(json->root(), "metadata");
  // A list that is empty may be "items": null.
  if (metadata == nullptr || Member(json->root(), "items") == nullptr) {
    return NotKubernetes("no list");
  }
  KubePage page;
  page.resource_version = TextMember(*metadata, "resourceVersion", kMaxOpaqueBytes);
  page.continue_token = TextMember(*metadata, "continue", kMaxOpaqueBytes);
  const rapidjson::Value* items = ArrayMember(json->root(), "items");
  if (items == nullptr) return page;
  for (const rapidjson::Value& item : items->GetArray()) {
    KubeObject object = ReadObject(kind, item);
    if (!object.name.empty()) page.objects.push_back(std::move(object));
  }
  return page;
}

Result<KubeEvent> ReadKubeEvent(KubeKind kind, std::string_view line) {
  const auto json = JsonAnswer::Parse(AsRest(200, std::string(line)));
  if (!json.ok()) return NotKubernetes("no event");
  const auto type = TypeOf(TextMember(json->root(), "type", kMaxNameBytes));
  const rapidjson::Value* object = ObjectMember(json->root(), "object");
  if (!type || object == nullptr) return NotKubernetes("no event");
  KubeEvent event;
  event.type = *type;
  if (*type == KubeEvent::Type::kError) {
    event.code =
        static_cast<int>(std::min<std::int64_t>(CountMember(*object, "code").value_or(0), 999));
    event.message = OneLine(TextMember(*object, "message", kMaxMessageBytes), kMaxMessageBytes);
    return event;
  }
  if (*type == KubeEvent::Type::kDeleted) {
    // What it held does not matter any more.
    if (const rapidjson::Value* metadata = ObjectMember(*object, "metadata")) {
      ReadMetadata(*metadata, &event.object);
    }
  } else {
    event.object = ReadObject(kind, *object);
  }
  if (*type != KubeEvent::Type::kBookmark && event.object.name.empty()) {
    return NotKubernetes("an object without a name");
  }
  return event;
}

}  // namespace fss
