// The floor, and the time that loading Zod takes.
import 'zod'
import './floor-stdio.mjs'
