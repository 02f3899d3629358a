import { env } from 'node:process'

/** Every combination instead of a choice that has each value once: `PARLEY_THOROUGH=1`, as `.ci/nightly` sets it. */
export const isThorough = env['PARLEY_THOROUGH'] === '1'
