import type { IconName } from '../icons.tsx'
import type { InputRequestForm } from './question.ts'

/** How each kind of question looks. */
export const kindLooks: Readonly<
  Record<
    InputRequestForm['kind'],
    { readonly icon: IconName; readonly word: string; readonly asks: string }
  >
> = {
  elicitation: { icon: 'message', word: 'Input', asks: 'asks for input' },
  sampling: { icon: 'spark', word: 'Sampling', asks: 'asks a model' },
  roots: { icon: 'folder', word: 'Roots', asks: 'asks for roots' },
}
