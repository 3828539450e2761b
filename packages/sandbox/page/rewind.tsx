import { useRef, useState } from "preact/hooks";
import { describeRewound } from "../src/engine/controls/describe-rewound.ts";
import type { RewoundView } from "../src/engine/controls/wire.ts";
import { call } from "./api.ts";
import { Action } from "./parts.tsx";
import { useStore } from "./store.ts";

/** Goes back to before a request, after a question that says what this removes. */
export function Rewind({ number, onDone }: { number: number; onDone: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [preview, setPreview] = useState<RewoundView>();
  const ask = async (): Promise<void> => {
    setPreview(await call<RewoundView>(`GET /sandbox/rewind/${number}`));
    dialog.current?.showModal();
  };
  const rewind = async (): Promise<void> => {
    await call("POST /sandbox/rewind", { body: { before: number } });
    dialog.current?.close();
    onDone();
  };
  return (
    <>
      <Action run={ask}>Rewind to before this request</Action>
      <dialog ref={dialog} aria-labelledby="rewind-title">
        <h2 id="rewind-title">Rewind to before request {number}?</h2>
        <p>{preview !== undefined && `This ${describeRewound(preview)}.`}</p>
        <p class="muted">
          Webhook endpoints with their secrets and faults stay as they are. You can undo it until
          the next request.
        </p>
        <div class="row">
          <Action run={rewind} tone="main">
            Rewind
          </Action>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </dialog>
    </>
  );
}

/** Offers to undo the last rewind, as long as no request has arrived since. */
export function UndoBar() {
  const { settings, requests } = useStore();
  const after = settings?.undoableAfter;
  if (after === undefined || (requests.at(-1)?.number ?? 0) > after) return null;
  return (
    <div class="notice" role="status">
      <span>The sandbox went back.</span>
      <Action run={() => call("POST /sandbox/undo")}>Undo</Action>
    </div>
  );
}
