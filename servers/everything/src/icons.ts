import type { Icon } from '@parley/mcp'

/** A speech bubble, 20 by 20, as a PNG in base64. */
export const tinyPicture =
  'iVBORw0KGgoAAAANSUhEUgAAABQAAAAUCAYAAACNiR0NAAAAM0lEQVR42mNgGFJALWTBf3IwVQ3DaegINxAGiOXT38DRWKZ/biErT1OtkKBqqcMwCogBAIimtgpdrzciAAAAAElFTkSuQmCC'

/** By which people recognise this server, and the tools that only it has. */
export const icons: readonly Icon[] = [
  { src: `data:image/png;base64,${tinyPicture}`, mimeType: 'image/png', sizes: ['20x20'] },
]
