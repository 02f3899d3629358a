/** Texts about this server, by file name. */
export const documents: Readonly<Record<string, string>> = {
  'architecture.md': `# Architecture

The server is one definition, made by \`createEverythingServer()\`. A definition holds tools, resources and prompts and
remembers no caller; the same one may be served on any number of channels. What belongs to one session (the files made
by \`gzip-file-as-resource\`, whether its calls are logged) is kept beside the definition, under a weak key that ends with
the session. Where requests belong to no session it is kept for who was verified, and in one place for all others.
`,
  'extension.md': `# Adding to it

1. Write the feature in a file of its own: \`defineTool(name, config, handler)\`, \`defineResource\` or \`definePrompt\`.
2. Put it into the list in \`everything.ts\`.
3. Add it to the golden list in the tests, and a test of its answer.

Describe arguments with Zod. Throw \`ToolError\` for what the model should read. Use \`visible\` for what only some
clients can use.
`,
  'features.md': `# Features

Tools: text, numbers, images, annotations, structured output, resource links, embedded resources, progress and
cancellation, log messages, changes of resources, tasks, and questions to the client: roots, sampling, elicitation by
forms and by links, and as tasks of the client. With \`--extras\` also questions in rounds, sampling with tools, arguments in headers, streams that
are let go of, a page, a skill and an extension.

Prompts: without arguments, with arguments, with completion that depends on what is filled in already, with an embedded
resource.

Resources: these documents, two templates with any positive integer, and files that belong to one session.
`,
  'how-it-works.md': `# How it works

A tool that asks something of the client is listed only for clients that said they can answer. Progress is sent only to
callers that gave a token, log messages only at the level the client chose, changes of a resource only to those who
follow it. A call that is cancelled stops at its next step and is not answered.
`,
  'instructions.md': `# Instructions

The text a client gives to its model is in \`instructions.ts\`. It says how features belong together and where the limits
are; what a single tool does is in the description of that tool.
`,
  'startup.md': `# Starting

\`main.js\` serves the process that started it, \`main.js streamableHttp\` whoever reaches its address. Nothing is asked of the client before it calls something. With
\`--slow-start\` the first answer is late, with \`--page-size\` lists come in pages, with \`--extras\` there are more tools.
`,
  'structure.md': `# Structure

- \`everything.ts\`: the list of all features
- \`tools/\`: one file per tool
- \`extras/\`: what the reference does not have, only with \`--extras\`
- \`resources.ts\`, \`documents.ts\`, \`prompts.ts\`: the other two kinds
- \`session.ts\`: what is kept per session
- \`program.ts\`: what the program can be told, \`main.ts\` runs it; \`demo.ts\`: a guided tour with a client
`,
}
