import { compileJsonSchema } from '@parley/mcp'
import { compareVersions, schemaUrl, validateDocument } from '@parley/registry/client'
import { describe, expect, it } from 'vitest'

import { hasSpecification, readExamples, readServerSchema } from '../registry-specification.ts'
import { documentOf, openRegistry } from '../registry-under-test.ts'

/** Paths with rules or messages, errors first. */
function issuesOf(value: unknown): readonly string[] {
  return validateDocument(value).issues.map(
    ({ path, message, severity }) => `${severity} ${path}: ${message}`,
  )
}

const base = documentOf('com.example/one', '1.0.0', {
  remotes: [{ type: 'sse', url: 'https://one.example.com' }],
})
const npm = {
  registryType: 'npm',
  identifier: 'one',
  version: '1.0.0',
  transport: { type: 'stdio' },
}

describe('server.json', () => {
  it('is fine as it should be', () => {
    expect(issuesOf({ ...base, packages: [npm] })).toEqual([])
  })

  it.each<[string, object, string]>([
    ['no $schema', { $schema: undefined }, '$schema: must be given: use https://static'],
    [
      'a $schema of another host',
      { $schema: 'https://x.example/2025-12-11/server.schema.json' },
      'is not a release of the format',
    ],
    ['a name without slash', { name: 'one' }, 'name: must match'],
    ['two slashes', { name: 'com.example/one/two' }, 'name: must match'],
    ['a short part', { name: 'com.example/o' }, 'at least two characters'],
    ['a dash at the end', { name: 'com.example-/one' }, 'a letter or digit at both ends'],
    ['two dots', { name: 'com..example/one' }, 'two dots in a row'],
    ['letters of another script', { name: 'com.example/оne' }, 'name: must match'],
    [
      'a release that is yet to come',
      { $schema: schemaUrl.replace('2025', '2099') },
      'is not a release of the format',
    ],
    ['the folder above', { version: '..' }, 'version: it is a part of a path'],
    ['the same folder', { version: '.' }, 'version: it is a part of a path'],
    [
      'long fields that the format does not have',
      { remotes: [{ type: 'sse', url: 'https://one.example.com', more: 'x'.repeat(5_000) }] },
      'more than 4096 bytes in fields that the format does not have',
    ],
    [
      'many fields that the format does not have',
      Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`field${at}`, at])),
      'more than 4096 bytes in fields that the format does not have',
    ],
    ['latest', { version: 'latest' }, 'version: "latest" is reserved'],
    ['a range', { version: '^1.2.3' }, 'version: it is a range'],
    ['invisible characters', { version: '1.0.0\u200b' }, 'invisible'],
    ['a title of spaces', { title: '   ' }, 'title: must not be only white space'],
    ['a long description', { description: 'x'.repeat(101) }, 'description: '],
    [
      'a script as web site',
      { websiteUrl: 'javascript:alert(1)' },
      'websiteUrl: it must begin with https',
    ],
    ['a password in a URL', { websiteUrl: 'https://a:b@example.com' }, 'user name or password'],
    ['data as icon', { icons: [{ src: 'data:image/svg+xml,<svg/>' }] }, 'icons[0].src: '],
    [
      'a repository elsewhere',
      { repository: { url: 'https://evil.example/a/b', source: 'github' } },
      'must be https://github.com/owner/repository',
    ],
    [
      'an unknown forge',
      { repository: { url: 'https://x.example/a/b', source: 'x' } },
      'use github or gitlab',
    ],
    [
      'a way out of the repository',
      { repository: { url: 'https://github.com/a/b', source: 'github', subfolder: '../etc' } },
      'repository.subfolder',
    ],
    [
      'a remote on this machine',
      { remotes: [{ type: 'sse', url: 'https://localhost/sse' }] },
      'must not be on this machine',
    ],
    [
      'a remote on this machine in digits',
      { remotes: [{ type: 'sse', url: 'https://127.0.0.1/sse' }] },
      'must not be on this machine',
    ],
    [
      'a remote without TLS',
      { remotes: [{ type: 'sse', url: 'http://x.example' }] },
      'must begin with https',
    ],
    [
      'an undefined variable',
      { remotes: [{ type: 'sse', url: 'https://x.example/{id}' }] },
      '{id} is not defined in variables',
    ],
    ['a remote by stdio', { remotes: [{ type: 'stdio' }] }, 'remotes[0].type'],
    [
      'too many remotes',
      {
        remotes: Array.from({ length: 51 }, (_, at) => ({
          type: 'sse',
          url: `https://x${at}.example`,
        })),
      },
      'remotes: must not have more than 50',
    ],
    ['U+0000', { title: 'a\0b' }, 'U+0000'],
    [
      'too much metadata',
      { _meta: { 'io.modelcontextprotocol.registry/publisher-provided': { x: 'y'.repeat(4096) } } },
      'longer than 4096 bytes',
    ],
    [
      'a package without version',
      { packages: [{ ...npm, version: undefined }] },
      'packages[0].version: must be given',
    ],
    [
      'a package of a range',
      { packages: [{ ...npm, version: '1.x' }] },
      'packages[0].version: it is a range',
    ],
    [
      'a package of the latest version',
      { packages: [{ ...npm, version: 'latest' }] },
      'packages[0].version',
    ],
    ['an unknown kind', { packages: [{ ...npm, registryType: 'brew' }] }, 'use one of npm, pypi'],
    [
      'a hash where none belongs',
      { packages: [{ ...npm, fileSha256: 'a'.repeat(64) }] },
      'only for mcpb',
    ],
    [
      'an image with version',
      { packages: [{ ...npm, registryType: 'oci', identifier: 'docker.io/a/b:1' }] },
      'packages[0].version: must be left out',
    ],
    [
      'an image elsewhere',
      {
        packages: [
          { registryType: 'oci', identifier: 'evil.example/a/b:1', transport: { type: 'stdio' } },
        ],
      },
      'not one of the image registries',
    ],
    [
      'an image without tag',
      {
        packages: [
          { registryType: 'oci', identifier: 'docker.io/a/b', transport: { type: 'stdio' } },
        ],
      },
      'must be registry/namespace/image:tag',
    ],
    [
      'a bundle without hash',
      {
        packages: [
          {
            registryType: 'mcpb',
            identifier: 'https://github.com/a/b/releases/download/v1/x.mcpb',
            transport: { type: 'stdio' },
          },
        ],
      },
      'fileSha256: must be given',
    ],
    [
      'a bundle elsewhere',
      {
        packages: [
          {
            registryType: 'mcpb',
            fileSha256: 'a'.repeat(64),
            identifier: 'https://evil.example/x.mcpb',
            transport: { type: 'stdio' },
          },
        ],
      },
      'file of a GitHub or GitLab release',
    ],
    [
      'a flag with value in it',
      { packages: [{ ...npm, packageArguments: [{ type: 'named', name: '--port <n>' }] }] },
      'packageArguments[0].name: must be the flag alone',
    ],
    [
      'a value with its flag',
      {
        packages: [
          { ...npm, packageArguments: [{ type: 'named', name: '--port', value: '--port=1' }] },
        ],
      },
      'must not begin with --port',
    ],
    [
      'a nameless flag',
      { packages: [{ ...npm, packageArguments: [{ type: 'named' }] }] },
      'packages[0].packageArguments[0]',
    ],
    [
      'an unknown variable of a URL',
      { packages: [{ ...npm, transport: { type: 'sse', url: 'http://localhost:{port}' } }] },
      '{port} is neither an argument',
    ],
  ])('with %s is refused', (_, change, expected) => {
    const issues = issuesOf({ ...base, ...change })
    expect(issues.filter((one) => one.startsWith('error')).join('\n')).toContain(expected)
  })

  it('gets advice that keeps nobody from publishing', () => {
    const value = {
      ...base,
      title: 'Weather\u202e',
      description: '<script>alert(1)</script>',
      packages: [
        {
          ...npm,
          runtimeArguments: [{ type: 'positional', value: '-y' }],
          environmentVariables: [{ name: 'API_KEY' }],
        },
      ],
    }
    expect(validateDocument(value).isValid).toBe(true)
    expect(issuesOf(value)).toEqual([
      'warning title: contains invisible characters',
      'warning description: looks like HTML: it is shown as it is written',
      'warning packages[0].runtimeHint: should be given where there are runtimeArguments',
      'warning packages[0].environmentVariables[0]: API_KEY looks like a secret: set isSecret',
    ])
  })

  it('may name an older release of the format, which is said', () => {
    const value = { ...base, $schema: schemaUrl.replace('2025-12-11', '2025-09-29'), extra: 1 }

    expect(validateDocument(value).isValid).toBe(true)
    expect(issuesOf(value)).toEqual([
      `warning $schema: is the release of 2025-09-29, and is read as that of 2025-12-11: use ${schemaUrl}`,
    ])
  })

  it('is reported with everything that is wrong, shape and rules at once', async () => {
    await using registry = await openRegistry({ database: ':memory:' })
    const body = {
      ...base,
      version: '>=1',
      packages: [{ registryType: 'npm' }, { ...npm, version: '~1.0' }],
    }
    const answer = await registry.ask('validate', { body, token: false })
    expect(answer.status).toBe(200)
    const { valid, issues } = answer.body as {
      valid: boolean
      issues: { type: string; path: string }[]
    }
    expect(valid).toBe(false)
    expect(issues.map(({ type, path }) => `${type} ${path}`)).toEqual([
      'schema packages[0]',
      'schema packages[0]',
      'semantic version',
      'semantic packages[1].version',
    ])
    const broken = await registry.ask('validate', { body: '{', token: false })
    expect(broken.body).toMatchObject({
      valid: false,
      issues: [{ type: 'json', severity: 'error' }],
    })
    const scalar = await registry.ask('validate', { body: '7', token: false })
    expect(scalar.body).toMatchObject({ valid: false, issues: [{ type: 'schema', path: '' }] })
  })

  it.each(['~1.2.3', '>=1', '<1', '=1.0.0', '1.2.3 - 2.0.0', '1.2 || 1.3', '1.X', '1.2.*', '*'])(
    'does not take %s for a version',
    (version) => expect(validateDocument({ ...base, version }).isValid).toBe(false),
  )
  it.each(['v1.0', '2025-06-18', '2025.06.18', '1.0.0-x', '1.0.0-rc.1+exp'])(
    'takes %s for a version',
    (version) => expect(validateDocument({ ...base, version }).isValid).toBe(true),
  )

  it.runIf(hasSpecification)('is judged like the published schema does', () => {
    const validate = compileJsonSchema({ ...readServerSchema('2025-12-11') })
    for (const [name, document] of readExamples()) {
      expect([name, validate(document) ?? []]).toEqual([name, []])
      for (const key of Object.keys(document)) {
        const broken = { ...document, [key]: 7 }
        const isRejected = validate(broken) !== undefined
        expect([name, key, validateDocument(broken).isValid]).toEqual([name, key, !isRejected])
      }
    }
  })
})

describe('the order of versions', () => {
  const rank = (version: string, id = 0) => ({
    version,
    id,
    publishedAt: '2026-01-01T00:00:00.000Z',
  })

  it('is that of semantic versioning, and of publication for others', () => {
    const ordered = ['old', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta.2']
    ordered.push(
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      'v1.0.1',
      '1.10.0',
      '99999999999999999999.0.0',
    )
    for (const [index, version] of ordered.entries()) {
      for (const lower of ordered.slice(0, index)) {
        expect([version, lower, compareVersions(rank(version), rank(lower)) > 0]).toEqual([
          version,
          lower,
          true,
        ])
        expect([lower, version, compareVersions(rank(lower), rank(version)) < 0]).toEqual([
          lower,
          version,
          true,
        ])
      }
    }
    expect(compareVersions(rank('1.0.0+a'), rank('1.0.0+b'))).toBe(0)
    expect(compareVersions(rank('b', 1), rank('a', 2))).toBeLessThan(0)
    expect(compareVersions(rank('2025.06.18'), rank('0.0.1'))).toBeLessThan(0)
  })
})
