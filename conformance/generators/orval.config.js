const { DOCUMENT, NAME } = process.env;

export default {
  service: {
    input: DOCUMENT,
    output: {
      target: `orval/${NAME}/index.ts`,
      client: "fetch",
      // Without it the functions send to a path, which only a page of the same host can do.
      baseUrl: {
        runtime: `addresses.${NAME}`,
        imports: [{ name: "addresses", importPath: "../../programs/addresses" }],
      },
    },
  },
};
