import picocolors from 'picocolors'

/** Functions that colour a text, or leave it as it is. */
export type Colors = ReturnType<typeof picocolors.createColors>

/** The settings that decide about colours. */
export interface ColorOptions {
  /** Environment variables: `NO_COLOR` and `FORCE_COLOR` decide. */
  readonly env: { readonly [name: string]: string | undefined }
  /** The output is a terminal. */
  readonly isTty: boolean
  /** From the command line; wins over everything. */
  readonly color?: boolean | undefined
}

/** Colours if a person can see them and has not declined: `NO_COLOR`, `FORCE_COLOR`, `TERM=dumb`. */
export function createColors({ env, isTty, color }: ColorOptions): Colors {
  return picocolors.createColors(color ?? wantsColor(env, isTty))
}

function wantsColor(env: ColorOptions['env'], isTty: boolean): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] !== '0'
  return isTty && env['TERM'] !== 'dumb'
}
