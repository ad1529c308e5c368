"""Python's connectrpc and grpcio: one call that succeeds and one that fails, checked."""

import base64
import os

import grpc
from connectrpc.client import ConnectClientSync
from connectrpc.code import Code
from connectrpc.compat import google_protobuf_binary_codec, google_protobuf_json_codec
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

SERVICE = "contracts.v1.Contracts"

interface = descriptor_pb2.FileDescriptorSet()
with open(os.environ["INTERFACE"], "rb") as file:
    interface.ParseFromString(file.read())
pool = descriptor_pool.DescriptorPool()
for proto in interface.file:
    pool.Add(proto)
Request = message_factory.GetMessageClass(pool.FindMessageTypeByName("contracts.v1.GetPurchaseRequest"))
Response = message_factory.GetMessageClass(pool.FindMessageTypeByName("contracts.v1.GetPurchaseResponse"))

base_url = os.environ["BASE_URL"]
headers = {"authorization": f"Bearer {os.environ['API_KEY']}"}
purchase_id = base64.b64decode(os.environ["PURCHASE_ID"])
workspace_id = base64.b64decode(os.environ["WORKSPACE_ID"])
known = Request(workspace_id=workspace_id, purchase_id=purchase_id)
unknown = Request(workspace_id=workspace_id, purchase_id=bytes(16))


def with_connectrpc(name, codec):
    client = ConnectClientSync(base_url, codec=codec)
    method = MethodInfo(
        name="GetPurchase",
        service_name=SERVICE,
        input=Request,
        output=Response,
        idempotency_level=IdempotencyLevel.NO_SIDE_EFFECTS,
        stream_type=StreamType.UNARY,
    )
    assert client.execute_unary(request=known, method=method, headers=headers).purchase.id == purchase_id
    try:
        client.execute_unary(request=unknown, method=method, headers=headers)
    except ConnectError as error:
        assert error.code == Code.NOT_FOUND, error
    else:
        raise AssertionError("an unknown purchase was answered")
    print(f"Python connectrpc, {name}: a purchase, and not_found for an unknown one")


def with_grpcio():
    with grpc.insecure_channel(base_url.removeprefix("http://")) as channel:
        get_purchase = channel.unary_unary(
            f"/{SERVICE}/GetPurchase",
            request_serializer=Request.SerializeToString,
            response_deserializer=Response.FromString,
        )
        metadata = list(headers.items())
        assert get_purchase(known, metadata=metadata, timeout=10).purchase.id == purchase_id
        try:
            get_purchase(unknown, metadata=metadata, timeout=10)
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.NOT_FOUND, error
        else:
            raise AssertionError("an unknown purchase was answered")
    print("Python grpcio: a purchase, and not_found for an unknown one")


with_connectrpc("Connect, JSON", google_protobuf_json_codec())
with_connectrpc("Connect, binary", google_protobuf_binary_codec())
with_grpcio()
