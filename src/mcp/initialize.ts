/** `initialize` as it is taken here: every field may be absent, because what is not said has an answer (the usual version). */
import { InitializeRequestSchema } from '@modelcontextprotocol/sdk/types.js';

export const InitializeSchema = InitializeRequestSchema.extend({ params: InitializeRequestSchema.shape.params.partial().optional() });
