import { entryReads, readConfigText } from '@parley/foundation/config'
import { expect, test } from 'vitest'

function readsOf(entry: object) {
  const { entries } = readConfigText(JSON.stringify({ mcpServers: { one: entry } }), { cwd: '/' })
  return entries.flatMap(entryReads).map(({ variable, key }) => `${key} ${variable}`)
}

test('every field that reads something of the user is told', () => {
  expect(
    readsOf({
      url: 'https://example.com/${HOME}',
      headers: { a: 'x ${env:A} ${file:/k}', b: '${secret:s}', c: '${NAME:-d}' },
      oauth: { clientSecret: '${env:C}' },
    }),
  ).toEqual([
    'url ${HOME}',
    'headers.a ${env:A}',
    'headers.a ${file:/k}',
    'headers.b ${secret:s}',
    'headers.c ${NAME:-d}',
    'oauth.clientSecret ${env:C}',
  ])
  expect(readsOf({ command: 'x', args: ['${env:A}'], env: { B: '${file:b}' } })).toEqual([
    'args.0 ${env:A}',
    'env.B ${file:b}',
  ])
})

test('answers of the user and names of folders are not', () => {
  const headers = { a: '${input:key}', b: '${workspaceFolder}${/}${userHome}${cwd}' }
  expect(readsOf({ url: 'https://example.com', headers })).toEqual([])
})
