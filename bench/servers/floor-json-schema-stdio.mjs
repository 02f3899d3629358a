// The floor checks its input by hand, whatever describes it.
import './floor-stdio.mjs'
