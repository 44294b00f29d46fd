export const mrr = 'reached from lint.ts'
