import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createFileAuthServerStore } from '@parley/auth/server'
import { expect, onTestFinished, test } from 'vitest'

import { requestToken } from '../server/harness.ts'
import { byDesk, startTrusting } from '../server/trusting-world.ts'

test('an assertion of a company is good once, one after the other', async () => {
  const { harness, employee } = await startTrusting()
  const assertion = await employee()

  const first = await requestToken(harness, { ...byDesk, assertion })
  const second = await requestToken(harness, { ...byDesk, assertion })

  expect(first.status).toBe(200)
  expect([second.status, second.body['error']]).toEqual([400, 'invalid_grant'])
})

test('an assertion of a company is good once for many at the same time, whatever else they send', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'auth-id-jag-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { harness, employee } = await startTrusting({ store: createFileAuthServerStore(folder) })
  const assertion = await employee()

  const answers = await Promise.all(
    [1, 2, 3, 4].map((index) =>
      requestToken(harness, { ...byDesk, assertion, code: `foreign-${index}` }),
    ),
  )

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ body }) => body['error'] === 'invalid_grant')).toHaveLength(3)
})

test('an assertion with the id of an earlier one is not taken, whatever else it says', async () => {
  const { harness, employee } = await startTrusting()
  const same = { jti: 'the same' }

  const first = await requestToken(harness, { ...byDesk, assertion: await employee(same) })
  const second = await requestToken(harness, {
    ...byDesk,
    assertion: await employee({ ...same, sub: 'bob', scope: 'notes:write' }),
  })

  expect([first.status, second.status]).toEqual([200, 400])
})

test('an assertion is remembered after the server was started again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'auth-id-jag-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const before = await startTrusting({ store: createFileAuthServerStore(folder) })
  const assertion = await before.employee()
  const first = await requestToken(before.harness, { ...byDesk, assertion })

  const after = await before.startAgain(createFileAuthServerStore(folder))
  const second = await requestToken(after, { ...byDesk, assertion })

  expect([first.status, second.status]).toEqual([200, 400])
})
