const { createConsoleClient, isApiError } = require("@fieldmesh/console-client");

/** Creates a label unless there is one of the name. */
exports.provideLabel = async (options, name) => {
  const client = createConsoleClient(options);
  try {
    return await client.labels.create({ name });
  } catch (error) {
    if (!isApiError(error, 422)) throw error;
    return client.labels.find({ name });
  }
};
