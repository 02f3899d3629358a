/** The settings of one server, as `mcp.json` and the file of a gateway have them. */

import { revisions } from '@parley/mcp'
import * as v from 'valibot'

import {
  choice,
  faultText,
  flag,
  list,
  oneOf,
  required,
  section,
  setting,
  table,
  text,
} from '../../settings/fields.ts'

const anyText = v.string(faultText('must be a string: {seen}', 'Put it in quotes.'))

const plainText = v.pipe(
  v.union(
    [v.string(), v.number(), v.boolean()],
    faultText('must be a string: {seen}', 'Put it in quotes.'),
  ),
  v.transform(String),
)

/** An object that may have further members: other products have their own. */
function loose<const Entries extends v.ObjectEntries>(entries: Entries) {
  const known = Object.keys(entries).join(', ')
  return v.looseObject(
    entries,
    faultText('must be an object: {seen}', `Write {key}: { ${known} }.`),
  )
}

const milliseconds = v.pipe(
  v.number(faultText('must be a number of milliseconds: {seen}', 'Write a number greater than 0.')),
  v.gtValue(0, faultText('must be greater than 0: {seen}', 'Write a number of milliseconds.')),
)

/** The settings of an entry, whatever program reads it. */
export const serverSettings = {
  command: setting(
    'The program to start.',
    v.pipe(text, v.regex(/\S/, faultText('is empty', 'Write command: "node".'))),
  ),
  args: setting('Its arguments.', list(plainText)),
  env: setting('Environment variables for it.', table(plainText, 'NAME: "value"')),
  envFile: setting('A file with more variables, one NAME=value per line.', anyText),
  cwd: setting('The folder to start it in.', anyText),
  inheritEnv: setting(
    'Which variables of your environment it gets: a small safe set, all, or that set and these.',
    oneOf([choice(['minimal', 'all']), flag, list(text)], 'Write minimal, all or a list of names.'),
    { default: 'minimal' },
  ),
  url: setting('The address of a server on the network, instead of a command.', text),
  type: setting(
    'The transport. Found out if it is left out.',
    choice(['stdio', 'http', 'streamable-http', 'streamableHttp', 'sse', 'ws', 'websocket']),
  ),
  headers: setting('Headers sent with every request.', table(plainText, 'NAME: "value"')),
  era: setting(
    'Which protocol revisions to speak with it.',
    choice(['auto', 'legacy', 'modern', ...revisions]),
    { default: 'auto' },
  ),
  roots: setting('Folders that the server is told about.', list(text)),
  tags: setting('Words to choose servers by.', list(text)),
  disabled: setting('Leaves the server out.', flag, { default: false }),
  timeout: setting(
    'Time limits, in milliseconds; a number alone is `request`.',
    oneOf(
      [
        milliseconds,
        loose({
          connect: setting('For connecting.', milliseconds),
          request: setting('For silence during a call.', milliseconds),
          max: setting('For a whole call.', milliseconds),
        }),
      ],
      'Write a number of milliseconds, or { connect, request, max }.',
    ),
  ),
  oauth: setting(
    'How to sign in.',
    loose({
      clientId: setting('A client id registered beforehand.', text),
      clientSecret: setting('The secret that belongs to it.', text),
      scopes: setting('The scopes to ask for.', list(text), { default: 'those the server names' }),
    }),
  ),
}

/** An entry of a file; keys that are not declared are left to other programs. */
export const serverEntry = v.object(serverSettings)

/** The settings of an entry. */
export type ServerSettings = v.InferOutput<typeof serverEntry>

const promptString = section({
  type: required('A text that is typed in.', v.literal('promptString')),
  id: required('Its name in `${input:id}`.', text),
  description: setting('The question.', text),
  default: setting('The answer that is offered.', v.string()),
  password: setting('Hide it while it is typed, and keep it as a secret.', flag),
})
const pickString = section({
  type: required('One of several answers.', v.literal('pickString')),
  id: required('Its name in `${input:id}`.', text),
  description: setting('The question.', text),
  default: setting('The answer that is offered.', v.string()),
  options: required('The answers to choose from.', list(v.string())),
})

/** The questions that a file defines. */
export const inputSettings = list(
  v.variant(
    'type',
    [promptString, pickString],
    'is unknown: {seen}\nUse promptString or pickString.',
  ),
  '{ id: NAME, type: promptString }',
)

/** A whole file of servers, as Parley writes it. Files of other products have other keys too. */
export const serversFile = v.looseObject({
  $schema: setting('The JSON Schema of this file, for editors.', text),
  mcpServers: required(
    'The servers by name.',
    table(v.looseObject(serverSettings), 'NAME: { command: … }'),
  ),
  inputs: setting('Questions whose answers servers use as `${input:id}`.', inputSettings, {
    see: 'configuration.md#inputs',
  }),
})
