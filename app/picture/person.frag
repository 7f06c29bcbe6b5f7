VARYING float facing;
VARYING vec4 tint;
void MAIN()
{
    bool outlined = facing < rim;
    if (!outlined && mod(floor(gl_FragCoord.x) + floor(gl_FragCoord.y), 2.0) > 0.5)
        discard;
    FRAGCOLOR = outlined ? vec4(tint.rgb, 1.0) : vec4(0.45 * tint.rgb, 1.0);
}
