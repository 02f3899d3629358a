import { keepFocus, returnFocus } from '@parley/page/shell'
import { useEffect, useState } from 'react'

/** In a dialog: the focus goes back to where it was before, when the dialog is gone. */
export function useReturnedFocus(): void {
  useState(keepFocus) // before the dialog takes it
  useEffect(() => returnFocus, [])
}
