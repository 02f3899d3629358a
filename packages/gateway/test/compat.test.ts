import { readCompat, UsageError } from '@parley/gateway'
import { describe, expect, test } from 'vitest'

const env = { TOKEN: 'secret' }

describe('supergateway', () => {
  test('a command over SSE is the default', () => {
    const { options } = readCompat(
      'supergateway',
      ['--stdio', 'npx -y "my server" --root \'/a b\'', '--port', '8001'],
      env,
    )

    expect(options).toMatchObject({
      from: { command: 'npx', args: ['-y', 'my server', '--root', '/a b'], inheritEnv: 'all' },
      to: 'sse',
      port: 8001,
      path: '/',
    })
  })

  test.each([
    ['streamableHttp', 'http', '/mcp'],
    ['ws', 'ws', '/message'],
    ['sse', 'sse', '/'],
  ] as const)('--outputTransport %s', (output, to, path) => {
    const { options } = readCompat(
      'supergateway',
      [
        '--stdio',
        'node s.js',
        '--outputTransport',
        output,
        '--stateful',
        '--sessionTimeout',
        '4000',
      ],
      env,
    )

    expect(options).toMatchObject({ to, path, port: 8000, sessionTimeoutMs: 4000 })
  })

  test('flags may be written with dashes, and paths of SSE may have a common beginning', () => {
    const { options } = readCompat(
      'supergateway',
      ['--stdio', 'node s.js', '--sse-path', '/x/sse', '--message-path=/x/message'],
      env,
    )

    expect(options.path).toBe('/x')
  })

  test('an address is served over stdio, with headers and a token', () => {
    const { options, isQuiet } = readCompat(
      'supergateway',
      [
        '--streamableHttp',
        'https://example.com/mcp',
        '--header',
        'X-Team: blue',
        '--oauth2Bearer',
        'abc',
        '--logLevel',
        'none',
      ],
      env,
    )

    expect(isQuiet).toBe(true)
    expect(options).toMatchObject({
      from: {
        url: 'https://example.com/mcp',
        type: 'http',
        headers: { 'X-Team': 'blue', authorization: 'Bearer abc' },
      },
      to: 'stdio',
    })
  })

  test.each([
    [[], 'needs one of --stdio, --sse and --streamableHttp'],
    [['--stdio', 'a', '--sse', 'http://b'], 'needs one of'],
    [['--stdio', 'a && b'], '"&&" needs a shell'],
    [['--stdio', 'a "b'], 'a quote " is not closed'],
    [['--stdio', 'a', '--cors'], 'name them, as in --cors https://app.example'],
    [['--stdio', 'a', '--outputTransport', 'smoke'], 'use stdio, sse, ws or streamableHttp'],
    [['--stdio', 'a', '--ssePath', '/events'], 'end in /sse and /message'],
    [['--stdio', 'a', '--port', '70000'], 'port 70000 is out of range: use 0 to 65535'],
    [['--stdio', 'a', '--wings'], "Unknown option '--wings'"],
  ] as const)('%j is refused with the cure', (args, words) => {
    const read = (): unknown => readCompat('supergateway', args, env)

    expect(read).toThrow(UsageError)
    expect(read).toThrow(words)
  })
})

describe('mcp-proxy', () => {
  test('a command over HTTP; all behind the command is its own', () => {
    const { options } = readCompat(
      'mcp-proxy',
      [
        '--port',
        '8002',
        '--host=127.0.0.1',
        '--env',
        'A',
        '1',
        '--pass-environment',
        'uvx',
        'mcp-server-fetch',
        '--port',
        '1',
      ],
      env,
    )

    expect(options).toMatchObject({
      from: {
        command: 'uvx',
        args: ['mcp-server-fetch', '--port', '1'],
        env: { A: '1' },
        inheritEnv: 'all',
      },
      to: 'http',
      port: 8002,
      host: '127.0.0.1',
    })
  })

  test('an address over stdio, with a token from the environment', () => {
    const { options } = readCompat(
      'mcp-proxy',
      ['--headers', 'X-Team', 'blue', '--transport', 'streamablehttp', 'http://example.com/mcp'],
      { API_ACCESS_TOKEN: 'abc' },
    )

    expect(options).toMatchObject({
      from: {
        url: 'http://example.com/mcp',
        type: 'http',
        headers: { authorization: 'Bearer abc', 'X-Team': 'blue' },
      },
      to: 'stdio',
    })
  })

  test.each([
    [[], 'needs a command or an address'],
    [['--named-server', 'a', 'b'], 'a bridge has one server'],
    [['--wings', 'a'], 'the flag --wings is unknown'],
    [['--allow-origin', '*', 'a'], 'name the origins'],
    [['--port'], '--port needs a value'],
  ] as const)('%j is refused with the cure', (args, words) => {
    expect(() => readCompat('mcp-proxy', args, env)).toThrow(words)
  })
})

describe('mcp-remote', () => {
  test('an address over stdio, signed in, with variables in headers', () => {
    const { options, signIn } = readCompat(
      'mcp-remote',
      [
        'https://example.com/mcp',
        '3334',
        '--header',
        'Authorization:Bearer ${TOKEN}',
        '--transport',
        'http-only',
        '--static-oauth-client-info',
        '{"client_id":"me"}',
      ],
      env,
    )

    expect(signIn).toEqual({ clientId: 'me', clientSecret: undefined })
    expect(options).toMatchObject({
      from: {
        url: 'https://example.com/mcp',
        type: 'http',
        headers: { Authorization: 'Bearer secret' },
      },
      to: 'stdio',
    })
  })

  test.each([
    [[], 'needs the address of a server'],
    [['http://example.com/mcp'], 'use https:, or --allow-http'],
    [
      ['https://example.com/mcp', '--header', 'X: ${NONE}'],
      'the variable NONE in --header is not set',
    ],
    [['https://example.com/mcp', '--ignore-tool', 'x'], 'passes all tools on'],
    [['https://example.com/mcp', '--transport', 'pigeon'], 'http-first, sse-first, http-only'],
  ] as const)('%j is refused with the cure', (args, words) => {
    expect(() => readCompat('mcp-remote', args, env)).toThrow(words)
  })

  test('this machine needs no encryption', () => {
    const { options } = readCompat('mcp-remote', ['http://localhost:3000/mcp'], env)

    expect(options.from).toMatchObject({ url: 'http://localhost:3000/mcp' })
  })
})

test('an unknown program is refused with those that are known', () => {
  expect(() => readCompat('constructor', [], env)).toThrow(
    'use supergateway, mcp-proxy, mcp-remote',
  )
})
