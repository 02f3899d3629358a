/** The common part of the rules of hosts and gateways: the calls that a rule is about. */

import * as v from 'valibot'

import { oneOf, setting, table, text } from '../settings/fields.ts'

const argument = oneOf(
  [v.string(), v.number(), v.boolean(), v.null()],
  'Use a text such as "*.md", a number, true, false or null.',
)

/** The members of a rule that say which calls it fits. All that are there have to fit. */
export const callRuleSettings = {
  server: setting(
    'Servers: `*` is any text, `?` one character, `{a,b}` either, `\\` takes the next sign as text.',
    text,
    { default: '*' },
  ),
  tool: setting('Tools, by the names that the server has for them, in the same way.', text, {
    default: '*',
  }),
  args: setting(
    'Patterns for arguments; all have to fit.',
    table(argument, '"path": "${workspaceFolder}/**"'),
    { see: 'consent.md#arguments' },
  ),
}
