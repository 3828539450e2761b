/** The options of MiniSearch. A browser gets the source of each function and nothing around it, so none may use another one. */
export const indexOptions = {
  // `devices.createMany` is found by its whole name, by `createMany`, and by each of its words.
  // A title is also found by the whole of it: "How it is tested" has one word that is searched for. Such a term begins with "=".
  tokenize: (text: string, field?: string): string[] => {
    const names = text.split(/[\s|`"'(){}[\],;:<>]+/u);
    const parts = text.split(/[\W_]+/u);
    const humps = parts.flatMap((part) => part.split(/(?<=[a-z])(?=[A-Z])/));
    const title = field === "title" && text.includes(" ") ? [`=${text.trim()}`] : [];
    return [...new Set([...title, ...names, ...parts, ...humps])];
  },
  // Receive, receives, received, receiver and receiving are one word, and so are retry and retries.
  // Words of a question that are on every page are not searched for: they would be marked everywhere, also inside other words.
  processTerm: (term: string): string | null => {
    const word = term.toLowerCase();
    if (
      /^(?:an?|and|are|as|at|be|by|can|do|does|for|from|how|i|if|in|is|it|its|my|of|on|or|that|the|this|to|what|when|with|you|your)?$/.test(
        word,
      )
    )
      return null;
    // A name is one word.
    if (word.length < 4 || /[^a-z]/.test(word) || /[a-z][A-Z]/.test(term)) return word;
    const stem = word
      .replace(/(?:ing|ed|er|(?<=t)ion)s?$|(?<!s)s$/, "")
      .replace(/e$/, "")
      .replace(/([bdgmnprt])\1$/, "$1")
      .replace(/y$/, "i");
    return stem.length > 2 && /[aeiouy]/.test(stem) ? stem : word;
  },
};

/** How MiniSearch orders the sections that it finds. */
export const searchOptions = {
  // Other words of the field for the words of these pages: a query is for both.
  tokenize: (query: string): string[] => {
    const groups: readonly (readonly [words: string, others: RegExp])[] = [
      ["license", /\blicen[cs]/i],
      ["CommonJS", /\bcjs\b/i],
      ["ESM", /\b(?:es|ecmascript) modules?\b/i],
      ["Next.js", /\bnext ?js\b/i],
      ["NestJS", /\bnest\.js\b/i],
      ["Node", /\bnode\.?js\b/i],
      ["TypeScript", /\bts\b/i],
      ["PostgreSQL", /\bpostgres\b/i],
      ["OpenTelemetry", /\b(?:otel|tracing)\b/i],
      ["The Things Stack", /\btt[ns]\b/i],
      ["install", /\b(?:installation|setup|set up|quick ?start|hello world)\b/i],
      ["pagination", /\b(?:paging|paginate)/i],
      ["many", /\b(?:bulk|batch)\b/i],
      ["locally", /\b(?:localhost|ngrok|tunnel)\b/i],
      ["deployment", /\b(?:docker|kubernetes|k8s)\b/i],
      ["personal data", /\b(?:gdpr|pii)\b/i],
      ["rate limits", /\b(?:throttl|too many requests|quota|429)/i],
      ["retries wait", /\bbackoff\b/i],
      ["integers", /\b(?:precision|rounding|bigint)\b/i],
      ["dead letter poison", /\b(?:dlqs?|dead[ -]letter|poison)/i],
      ["other languages", /\b(?:python|golang|java|php|ruby)\b/i],
      ["idempotency", /\bidempotent/i],
      ["cancel", /\babort/i],
      ["missed events", /\bbackfill/i],
      ["key", /\b(?:bearer|credentials?|api token)\b/i],
      ["stopping resuming", /\bkill|\bafter a crash\b/i],
      ["semantic versioning breaking changes", /\b(?:semver|stability)\b/i],
      ["supported versions", /\b(?:lts|eol|end[ -]of[ -]life|windows|macos|linux)\b/i],
      ["security advisories vulnerability", /\b(?:cves?|supply[ -]chain)\b/i],
      ["npm published", /\bpublished\b|\bnpm\b(?! i)/i],
      ["release candidate", /\b(?:beta|production[ -]ready)\b/i],
      ["who maintains questions", /\b(?:contact|sponsor)/i],
    ];
    const words = groups.flatMap(([more, others]) => (others.test(query) ? [more] : []));
    const asked = [query, ...words].join(" ");
    const parts = asked.split(/[\W_]+/u);
    return [
      ...new Set([
        `=${query.trim()}`,
        ...asked.split(/\s+/u),
        ...parts,
        ...parts.flatMap((part) => part.split(/(?<=[a-z])(?=[A-Z])/)),
      ]),
    ];
  },
  // A word of a short heading says more than one of a long section.
  bm25: { k: 1.2, b: 0.9, d: 0.1 },
  boost: { title: 6, text: 1, titles: 2 },
  weights: { prefix: 0.2, fuzzy: 0.1 },
  // Who types a whole title, or the name of an option, looks for that one.
  boostTerm: (term: string): number => (term.startsWith("=") ? 5 : 1),
  // Guides say how something is done, so they come first, and a page before its sections.
  boostDocument: (
    id: string,
    term: string,
    { title, titles }: Readonly<Record<string, unknown>> = {},
  ): number => {
    // parseEvent is searched for by name, and Checkpoint is a word.
    const [name = ""] = /^\w+/.exec(String(title)) ?? [];
    const isName = /[a-z][A-Z]/.test(name) && name.toLowerCase() === term;
    const weights: readonly (readonly [RegExp, number])[] = [
      [/\/guides\/glossary|\/changelog|\/packages|\/(?:#.*)?$/, 0.1],
      [/\/project\/(?:gauntlet|how)/, term.startsWith("=") ? 1 : 0.1],
      [/\/errors\/|\/comparison/, 0.4],
      [/\/guides\/|\/evaluate/, Array.isArray(titles) && titles.length === 0 ? 1.5 : 1],
      [/\/api\//, isName ? 0.8 : 0.05],
      [/\/records/, 0.15],
    ];
    return weights.find(([path]) => path.test(id))?.[1] ?? 0.7;
  },
  // The last word may still be incomplete.
  prefix: (_term: string, index: number, terms: readonly string[]): boolean =>
    index === terms.length - 1,
  // In short words, another letter is another word: batch and watch.
  fuzzy: (term: string): number | false =>
    term.length > 5 && !term.startsWith("=") ? 0.15 : false,
};
