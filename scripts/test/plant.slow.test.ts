import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, execPath } from 'node:process'

import { expect, test, vi } from 'vitest'

import { root } from '../source-files.mjs'

test.each(['SIGINT', 'SIGTERM'] as const)(
  'planting that is ended by %s leaves no copy behind',
  async (signal) => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-ended-'))
    const copies = () => readdirSync(folder).filter((name) => name.startsWith('parley-plant-'))
    const args = ['scripts/plant.mjs', '--id', 'BASE-04']
    const planting = spawn(execPath, args, { cwd: root, env: { ...env, TMPDIR: folder } })
    try {
      const ended = once(planting, 'exit')
      await vi.waitFor(() => expect(copies()).toHaveLength(1))

      planting.kill(signal)
      const [code] = (await ended) as [number]

      expect(code).toBe(signal === 'SIGINT' ? 130 : 143)
      expect(copies()).toEqual([])
    } finally {
      planting.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    }
  },
  60_000,
)
