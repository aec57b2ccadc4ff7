class Bot {
  constructor(options) { this.config = options.config || {}; this.providerId = options.id; this.label = options.label; }
  id() { return this.providerId || 'bot'; }
  async callApi(prompt, context) {
    const v = context.vars;
    if (this.config.fails_on === v.case && v.name === 'Peter') return { error: 'the model did not answer in time' };
    if (v.name === 'Grace' && v.case === 'refund' && this.config.style === 'curt') throw new Error('socket closed');
    const thanks = this.config.style === 'warm' ? `Thank you for writing, ${v.name}. ` : '';
    const body = v.case === 'parcel' ? 'Your parcel is on its way and should be with you on Friday.' : 'We will pay the price of the lamp back within five days.';
    return { output: thanks + body, tokenUsage: { total: 20, prompt: 12, completion: 8 }, cost: 0.0001 };
  }
}
module.exports = Bot;
