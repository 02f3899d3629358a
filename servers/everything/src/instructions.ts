/** For the model: what no single description says. */
export const instructions = `# Everything server

A server to test clients with: it uses every feature of the protocol once. Nothing here does real work.

## What belongs together

- \`get-resource-links\` and \`get-resource-reference\` point at the resources of the two templates
  \`demo://resource/dynamic/text/{resourceId}\` and \`demo://resource/dynamic/blob/{resourceId}\`.
- \`gzip-file-as-resource\` adds a resource at \`demo://resource/session/…\` that only this session can read, until it ends.
  Where the protocol has no sessions, from 2026-07-28 on, it belongs to the caller; all who are not signed in are one caller.
- \`toggle-subscriber-updates\` has an effect on resources that were subscribed to.
- \`toggle-simulated-logging\` respects the logging level.
- \`trigger-url-elicitation\` with \`errorPath\` fails once and says what to open; the same call then goes through.
- \`simulate-research-query\` is a task: it is followed by its id, and asks what is meant if the topic is ambiguous.
- \`trigger-sampling-request-async\` and \`trigger-elicitation-request-async\` ask the client for a task and follow it.
- \`trigger-long-running-operation\` tells its progress if the request has a progress token, and can be cancelled.

## Limits

- Ids of resources are positive integers.
- \`gzip-file-as-resource\` takes \`data:\` URLs, and pages of hosts the operator allowed; up to 10 MiB.
- Tools that ask the client for roots, sampling or elicitation are listed only if it offers them, tasks only if it can
  follow them.
`
