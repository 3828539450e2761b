/** The options of MiniSearch. A browser gets the source of each function and nothing around it, so none may use another one. */
export const indexOptions = {
  // `devices.list` is found by its whole name and by each of its words.
  tokenize: (text: string): string[] => [
    ...new Set([...text.split(/[\s|`"'(){}[\],;:<>]+/u), ...text.split(/[\W_]+/u)]),
  ],
  // Receive, receives, received, receiver and receiving are one word, and so are retry and retries.
  // Words of a question that are on every page are not searched for: they would be marked everywhere, also inside other words.
  processTerm: (term: string): string | null => {
    const word = term.toLowerCase();
    if (/^(?:an?|and|are|do|does|how|i|in|is|it|my|of|or|the|to|what|with)?$/.test(word))
      return null;
    if (word.length < 4 || /[^a-z]/.test(word)) return word;
    const stem = word
      .replace(/(?:ing|ed|er)s?$|(?<!s)s$/, "")
      .replace(/e$/, "")
      .replace(/([bdgmnprt])\1$/, "$1")
      .replace(/y$/, "i");
    return stem.length > 2 && /[aeiouy]/.test(stem) ? stem : word;
  },
};

/** How MiniSearch orders the sections that it finds. */
export const searchOptions = {
  boost: { title: 6, text: 1, titles: 2 },
  weights: { prefix: 0.4, fuzzy: 0.1 },
  // Guides say how something is done, so they come first, and a page before its sections.
  boostDocument: (
    id: string,
    term: string,
    { title, titles }: Readonly<Record<string, unknown>> = {},
  ): number => {
    // parseEvent is searched for by name, and Checkpoint is a word.
    const name = String(title);
    const isName = /[a-z][A-Z]/.test(name) && name.toLowerCase() === term;
    const weights: readonly (readonly [RegExp, number])[] = [
      [/\/api\//, isName ? 1 : 0.05],
      [/\/changelog/, 0.1],
      [/\/(decisions|project|packages)\b|\/guides\/glossary/, 0.1],
      [/\/events/, 0.2],
      [/\/errors\//, 0.6],
      [/\/reference\//, 0.7],
    ];
    const [, weight = 1] = weights.find(([path]) => path.test(id)) ?? [];
    return Array.isArray(titles) && titles.length === 0 ? weight * 2 : weight;
  },
  prefix: true,
  // In short words, another letter is another word: batch and watch.
  fuzzy: (term: string): number | false => (term.length > 5 ? 0.15 : false),
};
