import { expect, test } from 'vitest'

import { freshWork, openGit } from './support.ts'

const ref = { type: 'ref/resource' as const, uri: 'git://{repo}/{rev}/{+path}' }

test('shows files and folders as they were', async () => {
  const work = await freshWork()
  work.write('docs/a b.md', '# old\n')
  work.write('image.bin', 'a\0b')
  work.commit('docs')
  work.git('checkout', '-q', '-b', 'feature/x')
  work.write('docs/a b.md', '# new\n')
  work.commit('newer')
  await using client = await openGit({ repository: work.folder })
  const read = async (uri: string) => (await client.readResource(uri)).contents[0]

  expect(await read('git://work/main/docs/a%20b.md')).toMatchObject({ text: '# old\n' })
  expect(await read('git://work/feature%2Fx/docs/a%20b.md')).toMatchObject({ text: '# new\n' })
  expect(await read('git://work/HEAD/docs')).toMatchObject({ text: 'a b.md\n' })
  expect(await read('git://work/HEAD/docs/')).toMatchObject({ text: 'a b.md\n' })
  expect(await read('git://work/HEAD/')).toMatchObject({ text: 'a.txt\nb.txt\ndocs\nimage.bin\n' })
  expect(await read('git://work/HEAD/image.bin')).toMatchObject({ blob: 'YQBi' })
})

test('lists names as they are, so that they can be read', async () => {
  const work = await freshWork()
  work.write('odd/ü "x".txt', 'found\n')
  work.write('odd/two\nlines', '')
  work.commit('odd')
  await using client = await openGit({ repository: work.folder })
  const read = async (uri: string) => (await client.readResource(uri)).contents[0]

  expect(await read('git://work/main/odd')).toMatchObject({
    text: '"two\\nlines"\nü "x".txt\n',
  })
  expect(await read(`git://work/main/odd/${encodeURIComponent('ü "x".txt')}`)).toMatchObject({
    text: 'found\n',
  })
})

test.each([
  'git://work/main/nothing.txt',
  'git://work/nobody/',
  'git://work/nobody/a.txt',
  'git://other/main/a.txt',
  'git://work/--output=x/a.txt',
  'git://work/main/../a.txt',
  'git://work/main/%2e%2e/a.txt',
])('%s is not there', async (uri) => {
  const work = await freshWork()
  await using client = await openGit({ repository: work.folder })

  await expect(client.readResource(uri)).rejects.toMatchObject({ code: 'resource_not_found' })
})

test('knows the roots of the client', async () => {
  const work = await freshWork()
  await using client = await openGit({}, { roots: [{ uri: `file://${work.folder}` }] })

  const { contents } = await client.readResource('git://work/HEAD/b.txt')

  expect(contents).toMatchObject([{ text: 'b\n' }])
})

test('completes repositories, revisions and paths', async () => {
  const work = await freshWork()
  work.write('docs/guide.md', '')
  work.commit('docs')
  work.git('branch', 'feature/x')
  work.git('tag', 'v1')
  await using client = await openGit({ repository: work.folder })
  const complete = async (name: string, value: string, known: Record<string, string> = {}) =>
    (await client.complete(ref, { name, value }, { known })).values

  expect(await complete('repo', 'w')).toEqual(['work'])
  expect(await complete('rev', '', { repo: 'work' })).toEqual(['HEAD', 'feature/x', 'main', 'v1'])
  expect(await complete('rev', 'fea', { repo: 'work' })).toEqual(['feature/x'])
  expect(await complete('rev', 'MN', { repo: 'work' })).toEqual(['main'])
  expect(await complete('path', '', { repo: 'work', rev: 'main' })).toEqual([
    'a.txt',
    'b.txt',
    'docs/',
  ])
  expect(await complete('path', 'docs/g', { repo: 'work', rev: 'main' })).toEqual(['docs/guide.md'])
  expect(await complete('path', '', { repo: 'work', rev: '--x' })).toEqual([])
})
