/** For what is written by a process that lets everything else on the machine go first: as long as a test may take. */
export const longWork = { timeout: 1_500_000 }
