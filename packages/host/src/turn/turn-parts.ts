import type { CallSlots } from '../calls/call-slots.ts'
import type { CodeMode } from '../code/code-mode.ts'
import type { ServerConnection } from '../connections/connection.ts'
import type { Consent } from '../consent/consent.ts'
import type { AttachedResources } from '../context/attached-resources.ts'
import type { StoredResults } from '../context/kept-results.ts'
import type { ToolSelection } from '../context/tool-selection.ts'
import type { Trimming } from '../context/trimming.ts'
import type { Model } from '../models/model.ts'
import type { HostObserver } from '../observing/host-observer.ts'
import type { ToolRegistry } from '../tools/tool-registry.ts'
import type { TranscriptRecorder } from '../transcript/recorder.ts'
import type { CallRate, ResolvedLimits } from './limits.ts'
import type { TurnClock } from './turn-clock.ts'
import type { TurnEvent } from './turn-event.ts'

/** The context that all turns of a host share. */
export interface HostContext {
  readonly model: Model
  readonly consent: Consent
  readonly connections: readonly ServerConnection[]
  readonly registry: ToolRegistry
  readonly selection: ToolSelection
  readonly code: CodeMode
  readonly stored: StoredResults
  readonly attached: AttachedResources
  readonly limits: ResolvedLimits
  readonly rate: CallRate
  readonly slots: CallSlots
  readonly instructions: string | undefined
  readonly startWaitMs: number
  readonly observer: HostObserver | undefined
  /** How many tokens the results of a server took, as estimated. */
  countResult(server: string, tokens: number): void
}

/** The context of one turn. */
export interface TurnContext extends HostContext {
  readonly recorder: TranscriptRecorder
  readonly trimming: Trimming
  readonly clock: TurnClock
  readonly signal: AbortSignal
  readonly fence: string
  emit(event: TurnEvent): void
  /** Resolves when who reads the events has kept up. */
  capacity(): Promise<void>
}
