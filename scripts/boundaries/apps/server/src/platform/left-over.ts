export const leftOver = 'no-orphans'
