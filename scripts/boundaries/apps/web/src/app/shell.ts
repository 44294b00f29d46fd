import { App } from './App.tsx'

export const shell = `no-cycles ${App}`
