import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { loadGatewayConfig } from '@parley/gateway'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** What a unit, an image or a manifest starts, without the program itself. */
const commands = {
  unit: (name: string) =>
    (
      /^ExecStart=\/usr\/local\/bin\/parley (.*)$/m.exec(
        read(`examples/${name}/parley-${name}.service`),
      )?.[1] ?? ''
    ).split(' '),
  image: (name: string) =>
    (parse(/^CMD (.*)$/m.exec(read(`examples/${name}/Dockerfile`))?.[1] ?? '[]') as string[]).slice(
      2,
    ),
}

describe.each(['gateway', 'registry'])('the files that run the %s', (name) => {
  const [deployment, ...others] = parseAllDocuments(read(`examples/${name}/kubernetes.yaml`)).map(
    (document) => ({ errors: document.errors, value: document.toJS() as Manifest }),
  )
  const pod = deployment?.value.spec.template?.spec
  const [container] = pod?.containers ?? []

  test('pass options that the program has', () => {
    const documented = read(`docs/cli/${name}.md`)
    const manifest = (container?.args ?? []).slice(2)
    const words = [...commands.unit(name), ...commands.image(name), ...manifest]
    const flags = words.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0])

    expect(commands.unit(name).slice(0, 2)).toEqual(commands.image(name).slice(0, 2))
    expect(flags.length).toBeGreaterThan(3)
    for (const flag of flags)
      expect(flag === '--json' || documented.includes(`\`${flag}`), flag).toBe(true)
  })

  test('start the program that the package has', () => {
    const { bin } = JSON.parse(read('packages/cli/package.json')) as { bin: { parley: string } }
    const started = `packages/cli/${bin.parley}`

    expect(read(`examples/${name}/Dockerfile`)).toContain(`CMD ["node", "${started}"`)
    if (container?.args) expect(container.args[1]).toBe(started)
  })

  test('give the program no rights that it does not need', () => {
    const unit = read(`examples/${name}/parley-${name}.service`)

    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true },
    })
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(unit).toMatch(/^DynamicUser=yes$/m)
    expect(unit).toMatch(/^ProtectSystem=strict$/m)
    expect(unit).toMatch(/^NoNewPrivileges=yes$/m)
    expect(read(`examples/${name}/Dockerfile`)).toMatch(/^USER node$/m)
  })

  test('ask where it answers, and wait longer than it drains', () => {
    expect(container).toMatchObject({
      readinessProbe: { httpGet: { path: '/readyz', port: 8080 } },
      livenessProbe: { httpGet: { path: '/healthz', port: 8080 } },
    })
    expect(read(`examples/${name}/Dockerfile`)).toContain('http://127.0.0.1:8080/healthz')
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(5 + 10) // preStop, and the ten seconds of draining
    expect(
      Number(/^TimeoutStopSec=(\d+)$/m.exec(read(`examples/${name}/parley-${name}.service`))?.[1]),
    ).toBeGreaterThan(10)
  })

  test('can be read, and mount each volume that they name', () => {
    const volumes = new Set(pod?.volumes.map((one) => one.name))

    expect([deployment, ...others].flatMap((document) => document?.errors ?? [])).toEqual([])
    expect(others.map(({ value }) => value.kind)).toContain('Service')
    expect(new Set(container?.volumeMounts.map((one) => one.name))).toEqual(volumes)
  })
})

test('the file of the gateway has no mistakes but the keys that are still to be made', async () => {
  const file = join(root, 'examples/gateway/gateway.yaml')
  const { problems } = await loadGatewayConfig(file)

  expect(problems.filter(({ message }) => !message.includes('keys.json'))).toEqual([])
})

test('workflows run actions by the hash of a commit, which nobody can move', () => {
  for (const workflow of ['ci', 'nightly', 'release']) {
    const actions = [...read(`.github/workflows/${workflow}.yml`).matchAll(/uses: (.*)$/gm)]
    expect(actions.length).toBeGreaterThan(0)
    for (const [, action] of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d/)
  }
})

interface Manifest {
  readonly kind: string
  readonly spec: {
    readonly template?: {
      readonly spec: {
        readonly terminationGracePeriodSeconds: number
        readonly containers: readonly {
          readonly args?: readonly string[]
          readonly securityContext: object
          readonly volumeMounts: readonly { readonly name: string }[]
        }[]
        readonly volumes: readonly { readonly name: string }[]
      }
    }
  }
}
