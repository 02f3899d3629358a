import { openAuditLog } from '@parley/foundation/audit'
import { createConsent, readRules } from '@parley/host'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { inProcess, of, play, testHost } from '../playing.ts'

/** What a person does not see: a hidden message in tags, and a mark that turns the direction. */
const hidden = '\u{e0049}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}\u202e\u200b'

function nobody() {
  const audit = openAuditLog({ path: `${folderWith({})}/audit.jsonl` })
  const asking = readRules({ rules: [{ server: '*', tool: '*', decision: 'ask' }] })
  if (!asking.ok) throw new Error('the rules are wrong')
  return createConsent({ audit, rules: asking.rules })
}

test('names in refusals reach the model without hidden characters; the rule that allows keeps the exact name', async () => {
  const server = createServer({ name: 'odd', version: '1.0.0' })
  server.tool('act', {}, () => 'done')
  const host = testHost(
    ({ index, tools }) =>
      index === 0 ? { calls: [{ name: tools[0]?.name ?? '', arguments: {} }] } : 'I see.',
    [inProcess(`od${hidden}d`, server)],
    { consent: nobody() },
  )

  const events = await play(host.turn('Go.'))

  const sent = JSON.stringify(host.model.requests[1]?.messages.at(-1))
  expect(sent).toContain('odd/act was not run: it needs approval')
  for (const letter of hidden) expect(sent).not.toContain(letter)
  const [decision] = of(events, 'decision')
  expect(decision?.ruleThatAllows).toMatchObject({ server: `od${hidden}d`, tool: 'act' })
})

test('the end names the rules that ask, since one that allows does not outweigh them', async () => {
  const server = createServer({ name: 'odd', version: '1.0.0' })
  server.tool('act', {}, () => 'done')
  const host = testHost(
    [{ calls: [{ name: 'odd__act', arguments: {} }] }, 'I see.'],
    [inProcess('odd', server)],
    { consent: nobody() },
  )

  const [end] = of(await play(host.turn('Go.')), 'end')

  expect(end?.reason).toBe('unanswered')
  expect(end?.rulesThatAsk).toEqual([expect.stringContaining('ask */*')])
})

test('an outcome that the audit cannot take is told', async () => {
  const server = createServer({ name: 'odd', version: '1.0.0' })
  server.tool('act', {}, () => 'done')
  let isBroken = false
  const audit = {
    append: async () =>
      isBroken
        ? ({ written: false, reason: 'failed', message: 'the disk is full' } as const)
        : ((isBroken = true), { written: true, seq: 1, hash: '' } as const),
  }
  const allow = readRules({ rules: [{ server: '*', tool: '*', decision: 'allow' }] })
  if (!allow.ok) throw new Error('the rules are wrong')
  const host = testHost(
    [{ calls: [{ name: 'odd__act', arguments: {} }] }, 'Done.'],
    [inProcess('odd', server)],
    { consent: createConsent({ audit, rules: allow.rules }) },
  )

  const events = await play(host.turn('Go.'))

  expect(of(events, 'notice').map(({ message }) => message)).toEqual([
    'the outcome of act was not written to the audit: the disk is full',
  ])
})
