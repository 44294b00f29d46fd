export const mrr = 'reached from routes.ts'
