VARYING vec4 tint;
void MAIN()
{
    if (sieve && mod(floor(gl_FragCoord.x) + floor(gl_FragCoord.y), 2.0) > 0.5)
        discard;
    FRAGCOLOR = tint;
}
