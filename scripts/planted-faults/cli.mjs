/** In the command line. */

/** @type {readonly import('./index.mjs').PlantedFault[]} */
export const cliFaults = [
  {
    id: 'EUI-01',
    file: 'packages/cli/src/questions/form.ts',
    find: 'for (const field of fieldsOf(schema)) {',
    put: 'for (const field of fieldsOf(schema).slice(0, 1)) {',
    test: 'packages/cli/test/questions.test.ts',
  },
  {
    id: 'EUI-05',
    file: 'packages/cli/src/questions/form.ts',
    find: 'if (isSecretName(name) || /password',
    put: 'if (isSecretName(name) && /passwort',
    test: 'packages/cli/test/questions.test.ts',
  },
  {
    id: 'ELIC-03',
    file: 'packages/cli/src/questions/form.ts',
    find: '${flat(server)} asks:',
    put: 'A server asks:',
    test: 'packages/cli/test/questions.test.ts',
  },
  {
    id: 'ELIC-20',
    file: 'packages/cli/src/questions/form.ts',
    find: 'asks:\\n${quoted(message)}`)',
    put: 'asks:`)',
    test: 'packages/cli/test/questions.test.ts',
  },
  {
    id: 'N11-URL-13',
    file: 'packages/cli/src/questions/link.ts',
    find: 'prompter.say(`warning: ${flat(warning)}`)',
    put: 'void warning',
    test: 'packages/cli/test/questions.test.ts',
  },
  {
    id: 'INSP-12',
    file: 'packages/cli/src/commands/request.ts',
    find: 'return client.request(method, params, call)',
    put: 'return client.request(method, {}, call)',
    test: 'packages/cli/test/commands/request.test.ts',
  },
  {
    id: 'INSP-01',
    file: 'packages/cli/src/commands/inspect.ts',
    find: 'return inspect(undefined, flags, { ...context, serverCommand })',
    put: 'return inspect(undefined, flags, context)',
    test: 'packages/cli/test/inspect/inspect.test.ts',
  },
  {
    id: 'HDEC-04',
    file: 'packages/cli/src/questions/form.ts',
    find: 'if (isSecretName(name) || /password',
    put: 'if (isSecretName(name) && /passwort',
    test: 'packages/cli/test/questions.test.ts',
  },
]
