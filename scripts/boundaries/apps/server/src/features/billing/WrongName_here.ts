export const name = 'neither kebab-case nor PascalCase'
