import { jsonSchema } from '@parley/mcp'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { parseChallenges } from '../../src/shared/challenge.ts'
import { challengeOf, openProtected } from '../resource/protected-server.ts'

const inputSchema = jsonSchema<{ id: string }>({
  type: 'object',
  properties: { id: { type: 'string' } },
  required: ['id'],
})

test('scopes made of arguments cannot write into the header [N11-AUTH-15]', async () => {
  await using server = await openProtected({
    define: (notes) => notes.tool('open', { inputSchema, scopes: ({ id }) => [id] }, () => 'no'),
  })
  const token = await server.issuer.sign()
  const texts = [
    'a", error="none',
    'a\r\nset-cookie: a=b',
    'a\\',
    'ä€',
    'x", Bearer realm="evil',
    '\u0000',
  ]
  const random = fc.sample(fc.string({ unit: 'binary', maxLength: 30 }), { numRuns: 50, seed: 7 })

  const plain = await server.call('open', { token, args: { id: 'notes:7' } })
  expect(challengeOf(plain)).toContain('scope="notes:7"')
  for (const id of [...texts, ...random]) {
    const answer = await server.call('open', { token, args: { id } })
    const challenges = parseChallenges(challengeOf(answer) ?? undefined)

    expect(answer.status).toBe(403)
    expect(answer.headers.has('set-cookie')).toBe(false)
    expect(challenges).toHaveLength(1)
    expect(challenges[0]?.parameters.get('error')).toBe('insufficient_scope')
    expect([...(challenges[0]?.parameters.keys() ?? [])]).not.toContain('realm')
  }
})

test('what a token or a request holds is not repeated in the header', async () => {
  await using server = await openProtected()
  const marks = ['mark-in-token', 'mark-in-issuer', 'mark-in-type']
  const tokens = [
    'mark-in-token',
    await server.issuer.sign({ iss: 'https://mark-in-issuer.example' }),
    await server.issuer.sign({}, { header: { typ: 'mark-in-type' } }),
  ]

  for (const token of tokens) {
    const answer = await server.call('who', { token, path: '/mcp?mark-in-token' })
    const all = `${JSON.stringify([...answer.headers])}${await answer.text()}`
    for (const mark of marks) expect(all).not.toContain(mark)
  }
})
