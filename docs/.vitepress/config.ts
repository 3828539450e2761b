import { readFileSync } from "node:fs";
import { defineConfig, type PageData } from "vitepress";
import { names } from "../../tools/packages.ts";
import { generate } from "../documents/generate.ts";
import { readFigures } from "../site/figures.ts";
import { describe, describePage, isShallow, preload } from "../site/head.ts";
import { machinePages } from "../site/machine-pages.ts";
import { addRules } from "../site/markdown-rules.ts";
import { indexOptions, searchOptions } from "../site/search/options.ts";
import { searchText } from "../site/search/text.ts";
import { sidebar } from "../site/sidebar.ts";
import { typeHovers } from "../site/type-hovers.ts";

const SUMMARY =
  "Typed TypeScript clients for a field-device network: device console, ledger, mapping ingest, and webhooks that lose nothing.";

/** The path of a site on GitHub Pages begins with the name of its repository. */
const base = process.env["DOCS_BASE"] ?? "/";
/** Pages that a script writes have no source to edit. */
const GENERATED =
  /^(api|reference|events)\b|^(changelog|packages|decisions\/index|project\/gauntlet-rows)\.md$/;

// oxlint-disable-next-line import/no-default-export -- VitePress asks for it
export default defineConfig({
  base,
  lang: "en",
  title: "fieldmesh",
  description: SUMMARY,
  // A page of the reference is large: it is fetched when a reader opens it, and not because a link to it is visible.
  router: { prefetchLinks: false },
  // With a thousand pages, their list is in one file and not in each of them.
  metaChunk: true,
  srcExclude: ["documents/**", "site/**", "diagrams/**", ".samples*/**", "**/node_modules/**"],
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${base}icon.svg` }]],
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: addRules,
    codeTransformers: [typeHovers],
  },
  // In a shallow clone, Git knows one date for all files.
  lastUpdated: !isShallow(),
  // To switch transitions off, VitePress computes all styles twice before it starts.
  appearance: { disableTransition: false },
  sitemap: { hostname: names.site },
  transformPageData: (page: PageData) => {
    page.frontmatter["editLink"] ??= !GENERATED.test(page.filePath);
    if (page.frontmatter["layout"] === "home") page.frontmatter["figures"] = readFigures();
    else if (page.description === "")
      page.description = describe(
        page,
        readFileSync(new URL(`../${page.filePath}`, import.meta.url), "utf8"),
      );
  },
  transformHead: ({ pageData: { relativePath, title, description }, assets }) => [
    ...assets.filter((file) => file.endsWith(".woff2")).map(preload),
    ...(relativePath === "404.md" ? [] : describePage(relativePath, title, description)),
  ],
  transformHtml: (html) =>
    // VitePress says so only once it has started, and the bar jumps.
    html.replace(
      'class="VPNavBar"',
      html.includes('class="VPSidebar"') ? 'class="VPNavBar has-sidebar"' : 'class="VPNavBar"',
    ),
  themeConfig: {
    logo: "/icon.svg",
    editLink: {
      pattern: `https://github.com/${names.repository}/edit/main/docs/:path`,
      text: "Edit this page",
    },
    nav: [
      { text: "Guide", link: "/guides/getting-started", activeMatch: "/guides/" },
      { text: "Endpoints", link: "/reference/console", activeMatch: "/reference/" },
      { text: "Events", link: "/events", activeMatch: "/events" },
      { text: "API reference", link: "/api/", activeMatch: "/api/" },
      { text: "Evaluate", link: "/project/evaluate" },
      {
        text: "Project",
        link: "/packages",
        activeMatch: "^/(project/(?!evaluate)|decisions/|packages|changelog)",
      },
    ],
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    search: {
      provider: "local",
      options: {
        _render: (source, env, markdown) =>
          markdown.render(searchText(source, env.relativePath), env),
        miniSearch: { options: indexOptions, searchOptions },
        translations: { button: { buttonText: "Search", buttonAriaLabel: "Search, Ctrl K" } },
      },
    },
    socialLinks: [{ icon: "github", link: "https://github.com/fieldmesh/fieldmesh" }],
    notFound: {
      title: "No device responds at this address.",
      quote: "The page was moved, or the link is wrong. Search with Ctrl K.",
      linkLabel: "Go to the start page",
      linkText: "Go to the start page",
    },
    footer: {
      message: "Released under the MIT license.",
    },
  },
  vite: {
    build: { chunkSizeWarningLimit: 2_000 },
    plugins: [
      machinePages(SUMMARY, base),
      {
        // The build writes the documents into the site.
        name: "published-documents",
        configureServer({ middlewares }) {
          const published = generate();
          middlewares.use((request, response, next) => {
            const text = published.get((request.url ?? "").slice(base.length));
            if (text === undefined) return next();
            response.setHeader("content-type", "application/json").end(text);
          });
        },
      },
    ],
  },
});
