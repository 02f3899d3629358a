import { setTimeout as sleep } from 'node:timers/promises'

import { BoundedMap } from '@parley/mcp/internal'

import type { ServerDocument, ServerPackage } from '../document/server-document.ts'
import { OutgoingError, type Outgoing } from '../network/outgoing.ts'
import { proveImage } from './image-proof.ts'
import type { OwnershipOptions } from './options.ts'
import {
  proveCargo,
  proveMcpb,
  proveNpm,
  proveNuget,
  provePypi,
  type PackageProof,
  type ProvePackage,
} from './package-proofs.ts'

/** What is wrong with the packages of a document; empty if nothing is. */
export type CheckOwnership = (document: ServerDocument) => Promise<readonly OwnershipProblem[]>

/** A package that does not say that it belongs to the server, or cannot be asked. */
export interface OwnershipProblem {
  readonly path: string
  readonly why: string
  readonly isWorthAnotherAttempt: boolean
}

/** Proofs that are remembered, and for how long. */
const maxProofs = 1_000
const proofMs = 60 * 60 * 1_000
const maxAttempts = 2
const pauseMs = 250

/** Asks the homes of packages. Happens before the database is touched: they may take long. */
export function createOwnershipCheck(
  options: OwnershipOptions,
  { outgoing, now }: { readonly outgoing: Outgoing; readonly now: () => number },
): CheckOwnership {
  const proofs = proofsOf(options)
  const provenUntil = new BoundedMap<string, number>(maxProofs)

  async function check(serverPackage: ServerPackage, name: string): Promise<PackageProof> {
    const prove = proofs.get(serverPackage.registryType)
    if (prove === undefined) return { kind: 'owned' }
    const key = JSON.stringify([
      serverPackage.registryType,
      serverPackage.identifier,
      serverPackage.version,
      name,
    ])
    if ((provenUntil.get(key) ?? -Infinity) > now() - proofMs) return { kind: 'owned' }
    const proof = await attempt(() => prove(serverPackage, name, outgoing))
    if (proof.kind !== 'owned') return proof
    provenUntil.set(key, now())
    return proof
  }

  return async ({ name, packages = [] }) => {
    const problems: OwnershipProblem[] = []
    for (const [index, entry] of packages.entries()) {
      const proof = await check(entry, name)
      if (proof.kind === 'owned') continue
      const path = `packages[${index}]`
      problems.push({ path, why: proof.why, isWorthAnotherAttempt: proof.kind === 'later' })
    }
    return problems
  }
}

async function attempt(prove: () => Promise<PackageProof>): Promise<PackageProof> {
  for (let count = 1; ; count += 1) {
    const proof = await prove().catch((error: unknown): PackageProof => {
      if (!(error instanceof OutgoingError)) throw error
      return { kind: error.reason === 'refused' ? 'refused' : 'later', why: error.message }
    })
    if (proof.kind !== 'later' || count === maxAttempts) return proof
    await sleep(pauseMs * count)
  }
}

function proofsOf(options: OwnershipOptions): ReadonlyMap<string, ProvePackage> {
  const { npm, pypi, nuget, cargo, oci = true, mcpb = true } = options
  const bare = (base: string) => base.replace(/\/$/, '')
  return new Map<string, ProvePackage>([
    ...(npm === undefined ? [] : [['npm', proveNpm(bare(npm))] as const]),
    ...(pypi === undefined ? [] : [['pypi', provePypi(bare(pypi))] as const]),
    ...(nuget === undefined ? [] : [['nuget', proveNuget(bare(nuget))] as const]),
    ...(cargo === undefined ? [] : [['cargo', proveCargo(bare(cargo))] as const]),
    ...(oci ? [['oci', proveImage] as const] : []),
    ...(mcpb ? [['mcpb', proveMcpb] as const] : []),
  ])
}
