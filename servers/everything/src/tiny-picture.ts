/** A speech bubble, 20 by 20, as a PNG in base64. */
export const tinyPicture =
  'iVBORw0KGgoAAAANSUhEUgAAABQAAAAUCAYAAACNiR0NAAAAM0lEQVR42mNgGFJALWTBf3IwVQ3DaegINxAGiOXT38DRWKZ/biErT1OtkKBqqcMwCogBAIimtgpdrzciAAAAAElFTkSuQmCC'
