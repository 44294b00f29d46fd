import { shell } from './shell.ts'

export const App = () => <p>{shell}</p>
