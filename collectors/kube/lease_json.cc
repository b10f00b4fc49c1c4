#include "collectors/kube/lease_json.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <utility>

#include "collectors/kube/kube_reader.h"
#include "collectors/rest/json_answer.h"

namespace fss {
namespace {

constexpr std::size_t kMaxTextBytes = 1024;

}  // namespace

Result<Lease> ReadLease(KubeAnswer answer) {
  if (answer.status < 200 || answer.status > 299) return KubeRefusal(answer);
  const auto json = JsonAnswer::Parse({200, "application/json", std::move(answer.body)});
  const rapidjson::Value* metadata = json.ok() ? ObjectMember(json->root(), "metadata") : nullptr;
  if (metadata == nullptr) return Error{ErrorCode::kMalformed, "no Lease", ""};
  Lease lease;
  lease.resource_version = TextMember(*metadata, "resourceVersion", kMaxTextBytes);
  const rapidjson::Value* spec = ObjectMember(json->root(), "spec");
  if (spec == nullptr) return lease;  // one that somebody made without: nobody's
  lease.holder = TextMember(*spec, "holderIdentity", kMaxTextBytes);
  lease.duration_seconds = CountMember(*spec, "leaseDurationSeconds").value_or(0);
  lease.acquire_time = TextMember(*spec, "acquireTime", kMaxTextBytes);
  lease.renew_time = TextMember(*spec, "renewTime", kMaxTextBytes);
  lease.transitions = CountMember(*spec, "leaseTransitions").value_or(0);
  return lease;
}

std::string LeaseJson(const Lease& lease, const std::string& namespace_name,
                      const std::string& name) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  const auto text = [&writer](const char* key, const std::string& value) {
    writer.Key(key);
    writer.String(value);
  };
  const auto time = [&](const char* key, const std::string& value) {
    if (!value.empty()) text(key, value);
  };
  writer.StartObject();
  text("apiVersion", "coordination.k8s.io/v1");
  text("kind", "Lease");
  writer.Key("metadata");
  writer.StartObject();
  text("name", name);
  text("namespace", namespace_name);
  time("resourceVersion", lease.resource_version);
  writer.EndObject();
  writer.Key("spec");
  writer.StartObject();
  text("holderIdentity", lease.holder);
  writer.Key("leaseDurationSeconds");
  writer.Int64(lease.duration_seconds);
  time("acquireTime", lease.acquire_time);
  time("renewTime", lease.renew_time);
  writer.Key("leaseTransitions");
  writer.Int64(lease.transitions);
  writer.EndObject();
  writer.EndObject();
  return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace fss
