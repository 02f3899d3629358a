import { readdirSync, readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { clientRequests, extensionRequests } from '../../src/schema/methods/client-requests.ts'
import { methodsIn } from '../../src/schema/methods/method-row.ts'
import { clientNotifications, serverNotifications } from '../../src/schema/methods/notifications.ts'
import { inputMethods, serverRequests } from '../../src/schema/methods/server-requests.ts'
import { revisions, type Revision } from '../../src/schema/revision.ts'
import { createServer } from '../../src/server/create-server.ts'
import { serverSkills } from '../../src/server/skills/server-skills.ts'
import { serverTasks } from '../../src/server/tasks/server-tasks.ts'
import { openServed } from '../support/matrix.ts'
import { openStandaloneClient } from '../support/modern-client.ts'
import { openRawClient } from '../support/raw-client.ts'

const docs = new URL('../../../../docs/', import.meta.url)
const all = new Set(
  [
    clientRequests,
    extensionRequests,
    serverRequests,
    clientNotifications,
    serverNotifications,
  ].flatMap((table) => Object.keys(table)),
)

/** Who may send each method in each revision, as the era matrix of the requirement catalogue has it. */
const matrix = readFileSync(new URL('internals/requirements/era-matrix.md', docs), 'utf8')
  .split('## 3. Methods')[1]
  ?.split('## 4.')[0]
  ?.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)
const expected = [...(matrix ?? [])].map(([, method = '', cells = '']) => ({
  method,
  cells: cells.split(' | '),
}))

describe.each(revisions)('the methods of %s', (revision) => {
  const column = revisions.indexOf(revision)

  test.each(expected)('$method is sent by whom the catalogue says', ({ method, cells }) => {
    expect(cellOf(method, revision)).toBe(cells[column])
  })
})

/** A cell of the era matrix, from the tables. */
function cellOf(method: string, revision: Revision): string {
  const has = (table: Parameters<typeof methodsIn>[0]): boolean =>
    methodsIn(table, revision).has(method)
  const isModern = revision === '2026-07-28'
  const fromClient = has({ ...clientRequests, ...clientNotifications })
  const fromServer = has({ ...serverRequests, ...serverNotifications })
  const isExtension = has(extensionRequests) || method === 'notifications/tasks'
  if (isModern && inputMethods().some((input) => input === method)) return 'in'
  if (isModern && isExtension && (has(extensionRequests) || fromServer)) {
    return fromServer ? 'ext S' : 'ext C'
  }
  const senders = `${fromClient || has(extensionRequests) ? 'C' : ''}${fromServer ? 'S' : ''}`
  return senders || '-'
}

test('the catalogue has every method of the protocol', () => {
  const listed = new Set(expected.map(({ method }) => method))
  const missing = [...all].filter((method) => !listed.has(method))

  expect(missing).toEqual(['skills/list', 'skills/get', 'resources/directory/read'])
})

test('every method that a page names is in a table', () => {
  const areas = [...new Set([...all].map((method) => method.split('/')[0]))].join('|')
  const named = new RegExp(`\`((?:${areas})/[a-zA-Z_/]*[a-zA-Z_])\``, 'g') // a folder ends with a slash
  const pages = readdirSync(docs).filter((name) => name.endsWith('.md'))

  const unknown = pages.flatMap((page) =>
    [...readFileSync(new URL(page, docs), 'utf8').matchAll(named)]
      .map(([, method = '']) => method)
      .filter((method) => !all.has(method))
      .map((method) => `${page}: ${method}`),
  )

  expect(unknown).toEqual([])
})

test.each(revisions)('a server answers every request of %s, and no other', async (revision) => {
  const server = createServer({
    name: 'all',
    version: '1.0.0',
    extensions: [serverTasks({ list: true }), serverSkills({ skills: [] })],
  })
  server.tool('t', {}, () => 't')
  server.prompt('p', { complete: {} }, () => 'p')
  server.resource('a:b', { name: 'r' }, () => 'r')
  const { near, service } = await openServed('memory', server, {})
  const client =
    revision === '2026-07-28'
      ? openStandaloneClient(near)
      : await openRawClient(near, service, { revision })

  const answered: string[] = []
  const methods = Object.keys({ ...clientRequests, ...extensionRequests })
  for (const method of methods.filter((name) => name !== 'subscriptions/listen')) {
    const { error } = await client.request(method, {})
    if (error?.code !== -32601) answered.push(method)
  }

  const known = methodsIn({ ...clientRequests, ...extensionRequests }, revision)
  expect(new Set([...answered, 'subscriptions/listen'])).toEqual(
    new Set([...known, 'subscriptions/listen']),
  )
  await client.close()
  await service.closed
})
