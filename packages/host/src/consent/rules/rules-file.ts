/** The declaration of a file of consent rules: the reader, the JSON Schema for editors and the table in the docs come from it. */

import { callRuleSettings } from '@parley/foundation/rules'
import {
  choice,
  count,
  list,
  required,
  section,
  setting,
  text,
  texts,
} from '@parley/foundation/settings'
import * as v from 'valibot'

const decision = choice(['allow', 'ask', 'deny'])
const limit = count(1)
/** One rule. */
export const ruleSettings = section({
  ...callRuleSettings,
  when: setting('A condition, as an expression.', text, { see: 'consent.md#conditions' }),
  decision: required('What happens to a call that fits.', decision, {
    example: '"allow", "ask" or "deny"',
  }),
  remember: setting(
    'With `ask`: the longest that an answer counts.',
    choice(['once', 'session', 'always']),
    {
      default: 'always',
    },
  ),
  definition: setting(
    'The hash of the one definition of the tool that the rule is about. With `allow` it may run although it changed.',
    v.pipe(
      text,
      v.regex(
        /^sha256:[0-9a-f]{64}$/,
        'is not a hash: {seen}\nWrite "sha256:" and 64 digits, as a question about a changed tool shows them.',
      ),
    ),
    { see: 'consent.md#remembered-answers' },
  ),
  comment: setting('For yourself.', v.string()),
})

/** The whole file. */
export const rulesFile = section({
  $schema: setting('The JSON Schema of this file, for editors.', text),
  rules: required(
    'The rules. Deny wins over ask, and ask over allow, whatever their order.',
    v.pipe(
      list(ruleSettings, '{ … }'),
      v.maxLength(1_000, 'has too many rules\nUse at most 1000.'),
    ),
    { example: '[] for no rules' },
  ),
  trusted: setting('Servers whose claims and results you trust, with the same patterns.', texts, {
    see: 'consent.md#conditions',
  }),
  sampling: setting('Servers that may ask the model without a review.', texts, {
    see: 'consent.md#servers-that-ask-the-model',
  }),
  limits: setting(
    'How often tools may be called.',
    section({
      callsPerTurn: setting('Calls in one turn.', limit),
      callsPerMinute: setting('Calls in one minute.', limit),
      parallelCalls: setting('Calls at once.', limit),
    }),
  ),
})
