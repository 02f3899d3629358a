import { builtPage } from '@parley/foundation/listener'

/** Where the built page is. */
export const programPage = builtPage('chat', import.meta.url)
