import { join } from 'node:path'

import {
  clientFile,
  editConfig,
  exportConfig,
  hasServer,
  readConfigText,
  type WritableFormat,
} from '@parley/foundation/config'
import { describe, expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'

const { entries } = readConfigText(
  JSON.stringify({
    inputs: [{ id: 'maps-KEY', type: 'promptString', password: true }],
    mcpServers: {
      maps: {
        command: 'npx',
        args: ['-y', '@ada/maps@1.0.0', '--city', 'Neu "Ulm"'],
        env: { KEY: '${input:maps-KEY}', REGION: 'eu' },
      },
      far: {
        type: 'http',
        url: 'https://maps.example/mcp',
        headers: { Authorization: 'Bearer ${input:maps-KEY}', 'X-Team': 'blue' },
      },
    },
  }),
  { name: 'mcp.json', cwd: '/' },
)

/** A file of the product with settings and comments of its user, and the same with both servers added. */
const files: readonly (readonly [WritableFormat, string, string, string])[] = [
  [
    'codex',
    'config.toml',
    `# mine
model = "o9" # the best
text = """
[mcp_servers.fake]
"""

# an old one
[mcp_servers.old]
command = "old" # keep
env = { A = "1" }

# about the rest
[tui]
theme = "dark"
`,
    `# mine
model = "o9" # the best
text = """
[mcp_servers.fake]
"""

# an old one
[mcp_servers.old]
command = "old" # keep
env = { A = "1" }

# about the rest
[tui]
theme = "dark"

[mcp_servers.maps]
command = "npx"
args = ["-y", "@ada/maps@1.0.0", "--city", "Neu \\"Ulm\\""]
env_vars = ["KEY"]

[mcp_servers.maps.env]
REGION = "eu"

[mcp_servers.far]
url = "https://maps.example/mcp"
bearer_token_env_var = "MCP_INPUT_MAPS_KEY"

[mcp_servers.far.http_headers]
X-Team = "blue"
`,
  ],
  [
    'zed',
    'settings.json',
    `// Zed settings
{
  "theme": "One Dark", // dark
  "context_servers": {
    /* mine */
    "old": { "command": "old" },
  },
}
`,
    `// Zed settings
{
  "theme": "One Dark", // dark
  "context_servers": {
    /* mine */
    "old": { "command": "old" },
    "maps": {
      "command": "npx",
      "args": [
        "-y",
        "@ada/maps@1.0.0",
        "--city",
        "Neu \\"Ulm\\""
      ],
      "env": {
        "KEY": "\${MCP_INPUT_MAPS_KEY}",
        "REGION": "eu"
      }
    },
    "far": {
      "url": "https://maps.example/mcp",
      "headers": {
        "Authorization": "Bearer \${MCP_INPUT_MAPS_KEY}",
        "X-Team": "blue"
      }
    },
  },
}
`,
  ],
  [
    'goose',
    'config.yaml',
    `# my goose
GOOSE_MODEL: gpt # fast
extensions:
  developer:
    enabled: true # needed
    type: builtin
    args:
    - one
`,
    `# my goose
GOOSE_MODEL: gpt # fast
extensions:
  developer:
    enabled: true # needed
    type: builtin
    args:
    - one
  maps:
    enabled: true
    name: maps
    timeout: 300
    type: stdio
    cmd: npx
    args:
    - -y
    - "@ada/maps@1.0.0"
    - --city
    - Neu "Ulm"
    envs:
      REGION: eu
    env_keys:
    - KEY
  far:
    enabled: true
    name: far
    timeout: 300
    type: streamable_http
    uri: https://maps.example/mcp
    headers:
      Authorization: Bearer \${input:maps-KEY}
      X-Team: blue
`,
  ],
  [
    'continue',
    'config.yaml',
    `name: Mine # mine
version: 1.0.0
schema: v1
mcpServers:
  - name: old # keep
    command: old
`,
    `name: Mine # mine
version: 1.0.0
schema: v1
mcpServers:
  - name: old # keep
    command: old
  - name: maps
    type: stdio
    command: npx
    args:
      - -y
      - "@ada/maps@1.0.0"
      - --city
      - Neu "Ulm"
    env:
      KEY: \${{ secrets.MCP_INPUT_MAPS_KEY }}
      REGION: eu
  - name: far
    type: streamable-http
    url: https://maps.example/mcp
    requestOptions:
      headers:
        Authorization: Bearer \${{ secrets.MCP_INPUT_MAPS_KEY }}
        X-Team: blue
`,
  ],
]

describe('a file of another product', () => {
  test.each(files)('of %s keeps its comments and settings', (format, name, text, expected) => {
    const file = join('/', name)
    const { servers } = exportConfig(entries, format)

    const { after } = editConfig({ file, text, format, servers })

    expect(after).toBe(expected)
    expect(hasServer({ file, text, format }, 'maps')).toBe(false)
    expect(hasServer({ file, text: after, format }, 'maps')).toBe(true)
    // Written twice it is the same, and removed it is as before.
    expect(editConfig({ file, text: after, format, servers }).after).toBe(after)
    const gone = editConfig({
      file,
      text: after,
      format,
      servers: { maps: undefined, far: undefined },
    })
    expect(hasServer({ file, text: gone.after, format }, 'far')).toBe(false)
    expect(gone.after.trim().replaceAll(/,(?=\s*\})/g, '')).toBe(
      text.trim().replaceAll(/,(?=\s*\})/g, ''),
    )
  })

  test.each<[WritableFormat, object, object]>([
    [
      'windsurf',
      { command: 'npx', env: { KEY: '${env:MCP_INPUT_MAPS_KEY}', REGION: 'eu' } },
      { serverUrl: 'https://maps.example/mcp', headers: { 'X-Team': 'blue' } },
    ],
    [
      'gemini',
      { command: 'npx', env: { KEY: '${MCP_INPUT_MAPS_KEY}' } },
      { httpUrl: 'https://maps.example/mcp', headers: { 'X-Team': 'blue' } },
    ],
    [
      'copilot',
      { type: 'local', command: 'npx', tools: ['*'] },
      { type: 'http', url: 'https://maps.example/mcp', tools: ['*'] },
    ],
    [
      'opencode',
      {
        type: 'local',
        command: ['npx', '-y', '@ada/maps@1.0.0', '--city', 'Neu "Ulm"'],
        environment: { KEY: '{env:MCP_INPUT_MAPS_KEY}' },
        enabled: true,
      },
      {
        type: 'remote',
        url: 'https://maps.example/mcp',
        headers: { Authorization: 'Bearer {env:MCP_INPUT_MAPS_KEY}' },
      },
    ],
    ['lmstudio', { command: 'npx' }, { url: 'https://maps.example/mcp' }],
    [
      'cline',
      { command: 'npx', disabled: false },
      { type: 'streamableHttp', url: 'https://maps.example/mcp', disabled: false },
    ],
    [
      'jetbrains',
      { command: 'npx' },
      { command: 'npx', args: expect.arrayContaining(['mcp-remote']) as unknown },
    ],
  ])('of %s has its own keys', (format, maps, far) => {
    const { servers, text } = exportConfig(entries, format)

    expect(servers).toMatchObject({ maps, far })
    expect(JSON.parse(text)).toMatchObject(
      format === 'opencode' ? { mcp: servers } : { mcpServers: servers },
    )
  })

  test('that is new has what its product needs', () => {
    const [maps] = entries
    const of = (format: WritableFormat) => exportConfig(maps ? [maps] : [], format).text
    expect(of('continue')).toMatch(
      /^name: Local Config\nversion: 1\.0\.0\nschema: v1\nmcpServers:\n {2}- name: maps\n/,
    )
    expect(of('goose')).toMatch(/^extensions:\n {2}maps:\n {4}enabled: true\n/)
    expect(of('codex')).toMatch(/^\[mcp_servers\.maps\]\ncommand = "npx"\n/)
  })

  test.each([
    ['an inline table', 'mcp_servers = { maps = { command = "x" } }\n'],
    ['dotted keys', 'mcp_servers.maps.command = "x"\n'],
    ['an inline entry', '[mcp_servers]\nmaps = { command = "x" }\n'],
  ])('is left alone where TOML has the entry as %s', (_, text) => {
    const edit = () =>
      editConfig({ file: 'config.toml', text, servers: { maps: { command: 'y' } } })
    expect(edit).toThrow('cannot be changed without losing something')
  })

  test.each([
    ['quoted names', '[mcp_servers."maps"]\ncommand = "x"\n[mcp_servers."maps".env]\nA = "1"\n'],
    [
      'Windows lines',
      '[mcp_servers.maps]\r\ncommand = "x" # old\r\n\r\n# tui\r\n[tui]\r\na = 1\r\n',
    ],
    ['no line at its end', '[mcp_servers.maps]\ncommand = "x"'],
  ])('in TOML is changed in its place, with %s', (_, text) => {
    const { after } = editConfig({ file: 'config.toml', text, servers: { maps: { command: 'y' } } })
    expect(after).toContain('command = "y"')
    expect(after).not.toContain('"x"')
    expect(after.includes('# tui')).toBe(text.includes('# tui'))
    expect(after.replaceAll('\r\n', '').includes('\n')).toBe(!text.includes('\r\n'))
  })

  test('is that of the project if there is one, else that of the user', () => {
    const cwd = folderWith({ '.gemini/settings.json': '{}' })
    const options = { cwd, home: '/home/ada', env: {}, platform: 'linux' } as const
    expect(clientFile('gemini', options)).toBe(join(cwd, '.gemini/settings.json'))
    expect(clientFile('codex', options)).toBe('/home/ada/.codex/config.toml')
    expect(clientFile('goose', options)).toBe('/home/ada/.config/goose/config.yaml')
    expect(clientFile('opencode', options)).toBe('/home/ada/.config/opencode/opencode.json')
    const windows = { ...options, env: { APPDATA: '/roaming' }, platform: 'win32' } as const
    expect(clientFile('zed', windows)).toBe('/roaming/Zed/settings.json')
    expect(clientFile('goose', windows)).toBe('/roaming/Block/goose/config/config.yaml')
  })
})
