"""The client against a server: paging, filters, errors, the workspace, idempotency, and that no operation is missing."""

from __future__ import annotations

import asyncio
import re
import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from conftest import REPOSITORY, Demo
from pyqwest import SyncClient
from scripted import Script

import tradepost
from tradepost import _gen, ids
from tradepost._calls import Calls, Settings
from tradepost._gen.services import AsyncServices, Services
from tradepost._requests import prepare
from tradepost.types import (
    BuyingTerms,
    CreateContractRequest,
    FilterRules,
    PurchaseStatus,
    SimulateContractRequest,
)


def test_the_client_reads_the_workspace_of_its_key(still: Demo, client: tradepost.Client) -> None:
    assert client.workspace_id == ids.parse(still.printed["workspaceId"])


def test_a_workspace_can_be_named_in_base64_or_as_uuid_text(still: Demo) -> None:
    identifier = ids.parse(still.printed["workspaceId"])
    for text in (still.printed["workspaceId"], str(uuid.UUID(bytes=identifier))):
        assert still.client(workspace=text).workspace_id == identifier


def test_a_key_that_cannot_read_its_workspace_has_to_name_it() -> None:
    rejected = b'{"code":"permission_denied","message":"no"}'
    script = Script((403, {"content-type": "application/json", "x-error-reason": "PERMISSION_DENIED"}, rejected))
    calls = Calls(Settings(url="http://tradepost.example.com", key="tpk_test"), SyncClient(script))
    with pytest.raises(tradepost.PermissionDenied, match="set TRADEPOST_WORKSPACE"):
        calls.workspace()


def test_a_key_of_another_workspace_finds_that_one(still: Demo) -> None:
    other = tradepost.connect(still.url, still.printed["otherApiKey"])
    assert other.workspace_id == ids.parse(still.printed["otherWorkspaceId"])


@pytest.mark.parametrize("page_size", [7, 200])
def test_iterating_finds_every_record_once(client: tradepost.Client, page_size: int) -> None:
    expected = sum(count.count for count in client.purchases.count_purchases().counts)
    found = [purchase.id for purchase in client.purchases.iterate(page_size=page_size)]
    assert len(found) == len(set(found)) == expected > 100


def test_iterating_passes_the_filters_on(client: tradepost.Client) -> None:
    counts = {count.status: count.count for count in client.purchases.count_purchases().counts}
    refunded = list(client.purchases.iterate(status=PurchaseStatus.REFUNDED))
    assert len(refunded) == counts[PurchaseStatus.REFUNDED] > 0
    assert {purchase.status for purchase in refunded} == {PurchaseStatus.REFUNDED}


def test_iterating_an_empty_list_ends(still: Demo) -> None:
    other = tradepost.connect(still.url, still.printed["otherApiKey"])
    assert list(other.pools.iterate()) == []


def test_a_list_that_has_records_is_iterated_without_another_call(client: tradepost.Client) -> None:
    events = list(client.audit.iterate_audit_events(page_size=2))
    assert len(events) == len({event.id for event in events}) > 2


def test_an_asyncio_client_reads_the_same(still: Demo, client: tradepost.Client) -> None:
    async def read() -> list[bytes]:
        async with tradepost.connect_async(still.url, still.key) as asynchronous:
            assert await asynchronous.workspace_id() == client.workspace_id
            return [item.id async for item in asynchronous.inventory_items.iterate(page_size=50)]

    assert asyncio.run(read()) == [item.id for item in client.inventory_items.iterate()]


def test_an_error_has_its_code_reason_detail_and_request(client: tradepost.Client) -> None:
    with pytest.raises(tradepost.NotFound) as raised:
        client.contracts.get_contract(contract_id=bytes(16))
    error = raised.value
    assert (error.code, error.reason, error.retry_after) == ("not_found", "NOT_FOUND", None)
    assert error.detail
    assert error.request_id
    assert str(error) == f"NOT_FOUND: {error.detail}"


def test_each_code_has_its_class(still: Demo, client: tradepost.Client) -> None:
    with pytest.raises(tradepost.InvalidArgument):
        client.purchases.get_purchase(purchase_id=b"short")
    with pytest.raises(tradepost.Unauthenticated):
        tradepost.connect(still.url, "tpk_unknown").pools.count_pools()
    with pytest.raises(tradepost.PermissionDenied):
        reader = tradepost.connect(still.url, still.printed["readOnlyApiKey"])
        reader.contracts.pause_contract(contract_id=ids.parse(still.printed["contractId"]))
    with pytest.raises(tradepost.FailedPrecondition) as raised:
        client.workspaces.get_workspace_settings()
        client.contracts.activate_contract(contract_id=ids.parse(still.printed["contractId"]))
    assert raised.value.reason == "ILLEGAL_STEP"


def test_a_server_that_is_not_there_is_unavailable_in_one_error_with_its_address() -> None:
    retry = tradepost.Retry(attempts=1)
    with pytest.raises(tradepost.Unavailable, match=r"no answer from http://127\.0\.0\.1:9: .*start the server") as raised:
        # Port 9 discards, and nothing listens there.
        tradepost.connect("http://127.0.0.1:9", "tpk_test", retry=retry).pools.count_pools()
    assert raised.value.__cause__ is None
    assert raised.value.__suppress_context__


@pytest.mark.parametrize("url", ["localhost:8080", "ws://localhost", "http://", "http://localhost:99999", "/", 8080])
def test_what_is_not_the_address_of_a_server_is_rejected_before_a_call(url: str) -> None:
    with pytest.raises(ValueError, match=r"is not the address of a server: .*TRADEPOST_URL"):
        tradepost.connect(url, "tpk_test")


def test_a_timeout_is_raised(client: tradepost.Client) -> None:
    end = client.watch().position
    with pytest.raises(tradepost.DeadlineExceeded):
        client.transitions.watch_transitions(after_transition_id=end, wait_seconds=20, timeout=0.1)


def test_a_write_under_one_key_has_its_effect_once(client: tradepost.Client) -> None:
    def create(key: str) -> bytes:
        made = client.filter_sets.create_filter_set(
            name="Once", rules=FilterRules(weapons=["AWP"]), idempotency_key=key
        ).filter_set
        assert made is not None
        return made.id

    before = client.filter_sets.count_filter_sets().count
    key = str(uuid.uuid4())
    assert create(key) == create(key)
    assert client.filter_sets.count_filter_sets().count == before + 1


def test_a_key_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRADEPOST_API_KEY", raising=False)
    with pytest.raises(ValueError, match="TRADEPOST_API_KEY"):
        tradepost.connect("http://127.0.0.1:9")


def test_variables_name_what_is_not_given(still: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in still.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("TRADEPOST_WORKSPACE", still.printed["workspaceId"])
    assert tradepost.connect().workspace_id == ids.parse(still.printed["workspaceId"])


def test_only_a_session_names_its_workspace_in_a_header() -> None:
    workspace = bytes(range(16))
    session = Settings(url="", key="tps_session", workspace=workspace).headers(None)
    assert ids.parse(session["x-workspace-id"]) == workspace
    assert "x-workspace-id" not in Settings(url="", key="tpk_key", workspace=workspace).headers(None)


def test_an_id_may_be_a_text_in_every_field_of_a_request(still: Demo, client: tradepost.Client) -> None:
    base64, text = still.printed["contractId"], ids.format(ids.parse(still.printed["contractId"]))
    by_text = client.contracts.get_contract(contract_id=text).contract
    assert by_text == client.contracts.get_contract(contract_id=base64).contract
    assert client.contracts.get_contracts(contract_ids=[text]).contracts == [by_text]
    assert next(client.purchases.iterate(contract_id=text)).contract_id == ids.parse(text)
    draft = CreateContractRequest(name="Draft", pool_id=text)  # type: ignore[arg-type]
    prepare("SimulateContract", SimulateContractRequest(draft=draft))
    assert draft.pool_id == ids.parse(text)


# What a program without type checks passes.
BUYING: Any = BuyingTerms
WRONG: list[tuple[type[Exception], str, dict[str, object]]] = [
    (TypeError, "name has the type int: pass a str", {"name": 1}),
    (TypeError, "name has the type bytes: pass a str", {"name": b"secret"}),
    (TypeError, "pool_id has the type int: pass the 16 bytes of an id, or its text", {"pool_id": 1}),
    (ValueError, "pool_id: '' is not an identifier", {"pool_id": ""}),
    (TypeError, "marketplaces has the type str: pass a list", {"marketplaces": "simulated"}),
    (TypeError, "marketplaces[1] has the type int: pass a str", {"marketplaces": ["simulated", 1]}),
    (TypeError, "approval_mode has the value 'DRY_RUN' of type str: pass ApprovalMode.", {"approval_mode": "DRY_RUN"}),
    (TypeError, "pass ApprovalMode.AUTOMATIC or ", {"approval_mode": PurchaseStatus.SETTLED}),
    (TypeError, "starts_at has the type datetime: pass a Timestamp, such as ", {"starts_at": datetime.now(UTC)}),
    (TypeError, "buying has the type dict: pass a tradepost.types.BuyingTerms", {"buying": {}}),
    (TypeError, "buying has the type FilterRules: pass a ", {"buying": FilterRules()}),
    (TypeError, "buying.budget_cents has the value 1.5 of type float: pass whole cents", {"buying": BUYING(budget_cents=1.5)}),
    (TypeError, "buying.target_quantity has the value '2' of type str: pass an int", {"buying": BUYING(target_quantity="2")}),
    (TypeError, "buying.target_quantity has the value True of type bool", {"buying": BUYING(target_quantity=True)}),
    (OverflowError, "pass a number of at most 2,147,483,647", {"buying": BUYING(target_quantity=2**31)}),
]


@pytest.mark.parametrize(("kind", "message", "values"), WRONG)
def test_a_value_of_a_wrong_type_is_rejected_with_the_name_of_its_field(
    kind: type[Exception], message: str, values: dict[str, object]
) -> None:
    request = CreateContractRequest(**values)  # type: ignore[arg-type]
    with pytest.raises(kind, match=re.escape(message)) as raised:
        prepare("CreateContract", request)
    assert str(raised.value).startswith("CreateContract: ")


def test_a_request_that_is_wrong_is_not_sent() -> None:
    script = Script()
    with pytest.raises(TypeError, match=r"CreateFilterSet: rules\.weapons has the type str"):
        rules = FilterRules(weapons="AK-47")  # type: ignore[arg-type]
        script.blocking().filter_sets.create_filter_set(name="a", rules=rules)
    assert script.keys == []


@pytest.mark.parametrize("services", [Services, AsyncServices])
def test_every_operation_of_the_protos_is_a_method(services: type) -> None:
    groups = vars(services(None)).values()
    methods = [name.replace("_", "") for group in groups for name in dir(type(group)) if not name.startswith("_")]
    sources = [path.read_text() for path in (REPOSITORY / "proto").rglob("*.proto")]
    operations = [name for source in sources for name in re.findall(r"^  rpc (\w+)\(", source, re.MULTILINE)]
    assert len(operations) > 200
    assert sorted(name for name in methods if not name.startswith("iterate")) == sorted(map(str.lower, operations))


def test_the_generated_packages_are_not_at_the_top() -> None:
    assert _gen.__name__ == "tradepost._gen"
    with pytest.raises(ImportError):
        __import__("contracts.v1")
