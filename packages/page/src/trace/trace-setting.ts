import { createContext, useContext } from 'react'

import type { Row } from './rows/rows.ts'
import type { TraceSource } from './source/source.ts'

/** A form in which something can be had, such as `curl` or a test. */
export interface TraceForm {
  readonly id: string
  readonly label: string
}

/** What can be done with the messages of a live trace; each part of the viewer is there where its action is. */
export interface TraceActions {
  /**
   * Sends a recorded request once more, as it was or edited; `seq` is its record, where the service has it. Resolves with
   * what went wrong, or nothing.
   */
  readonly resend?:
    | ((request: {
        readonly server: string
        readonly message: { readonly [name: string]: unknown }
        readonly seq: number | undefined
      }) => Promise<string | undefined>)
    | undefined
  /** Requests are shown with the buttons to resend them, but these are off. */
  readonly isResendOff?: boolean | undefined
  /** Forms of a request to paste elsewhere, besides JSON. */
  readonly copyForms?: ((row: Row) => readonly TraceForm[]) | undefined
  readonly copyAs?: ((seq: number, form: string) => Promise<string>) | undefined
  /** Forms of the whole trace to save. */
  readonly saveForms?: readonly TraceForm[] | undefined
  readonly saveAs?:
    | ((form: string) => Promise<{ readonly name: string; readonly text: string }>)
    | undefined
}

/** The schemas that a server gave for a tool. */
export interface ToolSchemas {
  readonly inputSchema?: unknown
  readonly outputSchema?: unknown
}

/** What a page says about its trace. */
export interface TraceSetting {
  /** What happens now. A file that the user opens takes its place until it is closed. */
  readonly source: TraceSource
  readonly actions?: TraceActions | undefined
  /** The server that the rest of the page shows; the user can see its messages or those of all. */
  readonly server?: string | undefined
  /** Whether there is a choice between this server and all. */
  readonly hasOthers?: boolean | undefined
  /** Where the viewer can take the full page. */
  readonly full?: { readonly isFull: boolean; readonly toggle: () => void } | undefined
  /** What is known of a tool, for the validation of calls. */
  readonly schemasOf?: ((server: string, tool: string) => ToolSchemas | undefined) | undefined
}

/** Set by `TraceViewer`, for the parts within. */
export const TraceContext = createContext<TraceSetting | undefined>(undefined)

/** The setting of the viewer around. */
export function useTraceSetting(): TraceSetting {
  const setting = useContext(TraceContext)
  if (!setting) throw new Error('a part of the trace stands outside of TraceViewer')
  return setting
}
