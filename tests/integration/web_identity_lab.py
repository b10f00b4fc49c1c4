"""Temporary keys for a web identity, all of it real: an OpenID issuer, versitygw's token service,
its S3 server, and store_driver between them. Prints what became of each attempt, as JSON.

    unshare -Urn -- web_identity_lab.py FOLDER      (for test_object_store.py)

The token service asks an issuer by https at port 443 of a public address and nowhere else. So this
runs in a network of its own, where such an address leads to us.
"""

import base64
import http.server
import json
import pathlib
import ssl
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "deploy" / "lib"))

from harness import sidecar  # noqa: E402
from harness.object_store import ObjectStore, policy, text_of  # noqa: E402

ISSUER = "203.0.113.7"  # of the block for documentation: public, and nobody's
AUDIENCE = "sts.amazonaws.com"
SUBJECT = "system:serviceaccount:flink:sidecar"


def run(*command, **more):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True,
                          **more).stdout


def base64url(content):
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


class Issuer:
    """An OpenID provider: its description, its key, and tokens that are signed with it."""

    def __init__(self, folder):
        self._key, certificate = folder / "issuer.key", folder / "issuer.pem"
        run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
            f"/CN={ISSUER}", "-addext", f"subjectAltName=IP:{ISSUER}", "-keyout", self._key,
            "-out", certificate)
        modulus = run("openssl", "rsa", "-in", self._key, "-noout", "-modulus").decode()
        n = bytes.fromhex(modulus.strip().partition("=")[2])
        self.thumbprint = run("openssl", "x509", "-in", certificate, "-noout", "-fingerprint",
                              "-sha1").decode().partition("=")[2].strip().replace(":", "").lower()
        answers = {
            "/.well-known/openid-configuration":
                {"issuer": f"https://{ISSUER}", "jwks_uri": f"https://{ISSUER}/keys",
                 "id_token_signing_alg_values_supported": ["RS256"],
                 "subject_types_supported": ["public"], "response_types_supported": ["id_token"]},
            "/keys": {"keys": [{"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "1",
                                "n": base64url(n), "e": "AQAB"}]}}

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = json.dumps(answers.get(self.path, {})).encode()
                self.send_response(200 if self.path in answers else 404)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer((ISSUER, 443), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, self._key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def token(self, lives=600):
        now = int(time.time())
        parts = [{"alg": "RS256", "typ": "JWT", "kid": "1"},
                 {"iss": f"https://{ISSUER}", "aud": AUDIENCE, "sub": SUBJECT, "iat": now,
                  "exp": now + lives}]
        text = ".".join(base64url(json.dumps(part).encode()) for part in parts)
        signature = run("openssl", "dgst", "-sha256", "-sign", self._key, input=text.encode())
        return text + "." + base64url(signature)


class Driver:
    """store_driver with this web identity; many addresses, one after the other."""

    def __init__(self, store, token_file, role):
        self._child = subprocess.Popen(
            [pathlib.Path(sidecar.binary()).parent / "store_driver", "s3://flink", "5000",
             store.url],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
            env={"HOME": "/nowhere", "AWS_WEB_IDENTITY_TOKEN_FILE": str(token_file),
                 "AWS_ROLE_ARN": role, "AWS_ENDPOINT_URL_STS": store.iam_url})

    def open(self, key):
        self._child.stdin.write(f"open\t65536\ts3://flink/{key}\n")
        self._child.stdin.flush()
        return self._child.stdout.readline().rstrip("\n").split("\t")

    def stop(self):
        self._child.stdin.close()
        assert self._child.wait(10) == 0


def once(store, token_file, role, key):
    driver = Driver(store, token_file, role)
    try:
        return driver.open(key)
    finally:
        driver.stop()


def main(folder):
    run("ip", "link", "set", "lo", "up")
    run("ip", "address", "add", f"{ISSUER}/32", "dev", "lo")
    issuer = Issuer(folder)
    with ObjectStore(folder / "store") as store:
        store.make_bucket("flink")
        store.put("flink", "ckpts/_metadata", b"by a role")
        store.put("flink", "other", b"not for the role")
        provider = text_of(store.iam("CreateOpenIDConnectProvider", Url=f"https://{ISSUER}",
                                     **{"ClientIDList.member.1": AUDIENCE,
                                        "ThumbprintList.member.1": issuer.thumbprint}),
                           "OpenIDConnectProviderArn")
        trust = {"Version": "2012-10-17", "Statement": [
            {"Effect": "Allow", "Principal": {"Federated": provider},
             "Action": "sts:AssumeRoleWithWebIdentity",
             "Condition": {"StringEquals": {f"{ISSUER}:sub": SUBJECT,
                                            f"{ISSUER}:aud": AUDIENCE}}}]}
        role = text_of(store.iam("CreateRole", RoleName="checkpoints",
                                 AssumeRolePolicyDocument=json.dumps(trust)), "Arn")
        store.iam("PutRolePolicy", RoleName="checkpoints", PolicyName="own",
                  PolicyDocument=policy(("s3:GetObject", "arn:aws:s3:::flink/ckpts/*")))
        token_file = folder / "token"
        first = issuer.token()
        token_file.write_text(first + "\n")
        told = {"good": once(store, token_file, role, "ckpts/_metadata"),
                "denied": once(store, token_file, role, "other"),
                "unknown_role": once(store, token_file, role + "s", "ckpts/_metadata"),
                "no_token_file": once(store, folder / "none", role, "ckpts/_metadata")}
        # The platform renews the file: the next exchange has the new token.
        bad = issuer.token(lives=-3600)
        token_file.write_text(bad)
        driver = Driver(store, token_file, role)
        told["bad_token"] = driver.open("ckpts/_metadata")
        token_file.write_text(issuer.token())
        time.sleep(10.5)  # a failed exchange is not tried again at once
        told["new_token"] = driver.open("ckpts/_metadata")
        driver.stop()
        shown = json.dumps(told)
        assert first not in shown and bad not in shown
        print(shown)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
