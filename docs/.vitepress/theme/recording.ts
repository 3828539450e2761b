import { defineComponent, h, ref } from "vue";
import { withBase } from "vitepress";

/** A recording of a terminal, which moves only when a reader asks for it: its last screen is there from the start. */
export const Recording = defineComponent({
  name: "Recording",
  props: {
    src: { type: String, required: true },
    alt: { type: String, required: true },
    width: { type: Number, default: 704 },
    height: { type: Number, default: 632 },
  },
  setup({ src, alt, width, height }) {
    const plays = ref(0);
    const isPlaying = ref(false);
    function toggle(): void {
      isPlaying.value = !isPlaying.value;
      // An address of its own starts from the beginning.
      if (isPlaying.value) plays.value += 1;
    }
    return () =>
      h("div", { class: "fm-recording" }, [
        h("img", {
          src: withBase(isPlaying.value ? `${src}?${plays.value}` : `${src}#still`),
          alt,
          loading: "lazy",
          width,
          height,
        }),
        h(
          "button",
          { type: "button", onClick: toggle },
          isPlaying.value ? "Show the last screen" : "Play the recording",
        ),
      ]);
  },
});
