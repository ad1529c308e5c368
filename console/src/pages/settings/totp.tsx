import { lazy, Suspense, useEffect, useMemo, useState, type FormEvent } from "react";
import { encode } from "uqr";
import { may, refresh } from "../../core/queries.ts";
import { beginTOTPEnrollment, confirmTOTPEnrollment } from "../../gen/accounts/v1/two_factor_calls.ts";
import type { BeginTOTPEnrollmentResponse } from "../../gen/accounts/v1/two_factor_pb.ts";
import { Button } from "../../ui/button.tsx";
import { Copy } from "../../ui/copy.tsx";
import { Field } from "../../ui/field.tsx";
import { Failed, Skeleton } from "../../ui/state.tsx";
import { OLD } from "./old.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";

const Window = lazy(() => import("../../ui/dialog.tsx"));
/** The address as a picture of squares: one path, drawn here. No other server is asked. */
function QR({ text }: { text: string }) {
  const [path, size] = useMemo(() => {
    const { data, size } = encode(text, { border: 0 });
    return [data.map((row, y) => row.map((on, x) => (on ? `M${x} ${y}h1v1h-1z` : "")).join("")).join(""), size];
  }, [text]);
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="Code to scan with the authenticator app"
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
export function Enrol({ kind = "primary" }: { kind?: string }) {
  const [open, setOpen] = useState(false);
  if (!may(beginTOTPEnrollment)) return null;
  return (
    <>
      <Button kind={kind} onPress={() => setOpen(true)}>
        Add an authenticator app
      </Button>
      {open && (
        <Suspense>
          <EnrolWindow close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
function EnrolWindow({ close }: { close: () => void }) {
  const [begun, setBegun] = useState<BeginTOTPEnrollmentResponse>();
  const [code, setCode] = useState("");
  const [error, setError] = useState<unknown>();
  const [codes, setCodes] = useState<string[]>();
  const [asked, setAsked] = useState(false);
  const begin = () => {
    setAsked(true);
    setError(undefined);
    beginTOTPEnrollment({}).then(setBegun, setError);
  };
  useEffect(() => {
    if (!asked) begin();
  }, []);
  const confirm = (e: FormEvent) => {
    e.preventDefault();
    setError(undefined);
    confirmTOTPEnrollment({ enrollmentId: begun!.enrollmentId!, code: code.trim() }).then((a) => setCodes(a.recoveryCodes), setError);
  };
  // Not before the codes were read: the page that knows of the app has no place for this window.
  const finish = () => {
    void refresh(...OLD);
    close();
  };
  return (
    <Window title={codes ? "Recovery codes" : "Add an authenticator app"} close={close} locked={codes !== undefined}>
      {codes ? (
        <>
          <RecoveryCodes codes={codes} />
          <footer>
            <Button kind="primary" onPress={finish}>
              Done
            </Button>
          </footer>
        </>
      ) : !begun ? (
        error !== undefined ? (
          <Failed error={error} again={begin} />
        ) : (
          <Skeleton lines={4} />
        )
      ) : (
        <form onSubmit={confirm} noValidate>
          <div className="prose">
            <p>Scan the code with your app, or type the secret into it. Then type the six digits that it shows.</p>
          </div>
          <QR text={begun.otpauthUrl ?? ""} />
          <div className="secret">
            <code>{begun.secret?.replace(/(.{4})/g, "$1 ").trim()}</code>
            <div className="row">
              <Copy text={begun.secret ?? ""} label="Copy the secret" />
            </div>
          </div>
          <Field
            spec={{ name: "code", label: "Six digits", kind: "code", autoComplete: "one-time-code", required: true }}
            values={{ code }}
            set={(_n, v) => setCode(v)}
            show={false}
          />
          {error !== undefined && <Failed error={error} />}
          <footer>
            <Button onPress={close}>Cancel</Button>
            <Button type="submit" kind="primary" isDisabled={!/^\d{6}$/.test(code.trim())}>
              Confirm
            </Button>
          </footer>
        </form>
      )}
    </Window>
  );
}
