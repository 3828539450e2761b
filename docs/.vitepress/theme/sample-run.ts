import { defineComponent, h, onBeforeUnmount, ref } from "vue";
import { loadSamples, runSample } from "./run-sample.ts";

/** What the button and the label say. */
const STATES = {
  idle: ["Run", "Output in Node"],
  loading: ["Stop", "Loading …"],
  running: ["Stop", "Running in your browser …"],
  done: ["Run", "Output in your browser"],
  failed: ["Run", "Failed in your browser"],
  stopped: ["Run", "Stopped"],
} as const;

/** The output of a sample, with a button that runs it in the page. The slot is what it prints in Node. */
export const SampleRun = defineComponent({
  name: "SampleRun",
  props: { name: { type: String, required: true }, file: { type: String, required: true } },
  setup({ name, file }, { slots }) {
    const state = ref<keyof typeof STATES>("idle");
    const output = ref("");
    let stopping = new AbortController();

    async function run(): Promise<void> {
      const { signal } = (stopping = new AbortController());
      const print = (line: string): void => void (output.value += `${line}\n`);
      state.value = "loading";
      output.value = "";
      try {
        const url = await loadSamples(file);
        signal.throwIfAborted();
        state.value = "running";
        await runSample(url, name, print, signal);
        state.value = "done";
      } catch (error) {
        if (signal.aborted) return;
        state.value = "failed";
        print((error as Error).message);
      }
    }

    function stop(): void {
      stopping.abort();
      state.value = "stopped";
    }

    const onClick = (): void => (STATES[state.value][0] === "Stop" ? stop() : void run());
    onBeforeUnmount(() => stopping.abort());
    return () => {
      const [action, label] = STATES[state.value];
      const captured = state.value === "idle" ? slots["default"]?.() : undefined;
      const printed = output.value === "" ? undefined : h("pre", h("code", output.value));
      return h("div", { class: "fm-output", "data-sample": name, "data-state": state.value }, [
        h("button", { type: "button", "aria-label": `${action} this sample`, onClick }, action),
        h("div", { "aria-live": "polite" }, [h("span", label), captured ?? printed]),
      ]);
    };
  },
});
